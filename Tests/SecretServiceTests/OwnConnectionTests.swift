// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

/// The callers are connections of this process, which is a program of its own. A prompt is answered with no.
@Suite(
    "An ordinary program's connections to the bus are its own", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct OwnConnectionTests {
    private let stage: SecretStage

    init() throws { stage = try SecretStage(consent: "deny") }

    /// Whether a connection reads the secret of an item without a prompt.
    private func reads(_ item: String, _ client: BusClient) throws -> Bool {
        let session = try client.session()
        let answer = try client.call(item, "Secret.Item", "GetSecret") { message throws(BusError) in
            try message.append(session, type: "o")
        }
        if case .success = answer { return true }
        return false
    }

    private func item(of client: BusClient) throws -> String {
        try client.make(["service": "mail"], session: try client.session())
    }

    @Test("Several connections of one program, copies of their descriptors, and its children change nothing")
    func ordinary() throws {
        let first = try BusClient(stage)
        let item = try item(of: first)
        let copy = dup(first.descriptor)
        defer { close(copy) }
        // Started with the copy, which has no FD_CLOEXEC.
        let child = try ChildOfTest()
        let second = try BusClient(stage)
        #expect(try reads(item, second), "\(stage.log)\(stage.daemon.log())")
        #expect(try reads(item, first))
        withExtendedLifetime(child) {}
    }

    @Test("A connection that the program may have inherited is asked about, and the program's own are not any more")
    func inherited() throws {
        let first = try BusClient(stage)
        let item = try item(of: first)
        let second = try BusClient(stage)
        try #require(fcntl(second.descriptor, F_SETFD, 0) == 0)
        #expect(try !reads(item, second), "without FD_CLOEXEC")
        // It was inspected before.
        #expect(try reads(item, first))
        try #require(fcntl(second.descriptor, F_SETFD, FD_CLOEXEC) == 0)
        let third = try BusClient(stage)
        #expect(try reads(item, third), "\(stage.log)\(stage.daemon.log())")
    }

    @Test("What is in memory stays the program's, though it could pass its connection on when autofilld was restarted")
    func itemsInMemory() throws {
        let client = try BusClient(stage)
        let item = try client.make(["service": "mail"], in: "session", session: try client.session())
        try #require(fcntl(client.descriptor, F_SETFD, 0) == 0)
        stage.daemon.kill9()
        try stage.daemon.start()
        // It needs the daemon.
        #expect(try client.search(["service": "mail"]).unlocked == [item], "\(stage.log)\(stage.daemon.log())")
        #expect(try reads(item, client))
    }

    @Test("While a monitor of the bus runs, which has no name, ordinary programs are served without a prompt")
    func monitored() throws {
        let first = try BusClient(stage)
        let item = try item(of: first)
        let monitor = try BusClient(stage)
        try monitor.monitor()
        #expect(try reads(item, try BusClient(stage)), "\(stage.log)\(stage.daemon.log())")
    }

    /// A program that has what this process does not close for others, until it is released.
    private final class ChildOfTest {
        private let identifier: pid_t

        init() throws {
            var arguments: [UnsafeMutablePointer<CChar>?] = ["sleep", "600"].map { strdup($0 as String) } + [nil]
            defer { for text in arguments { free(text) } }
            var started: pid_t = 0
            try #require(posix_spawn(&started, "/usr/bin/sleep", nil, nil, &arguments, nil) == 0)
            identifier = started
        }

        deinit {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
    }
}
