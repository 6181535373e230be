// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import Systemd
import TestGround
import Testing

@testable import AutofillCommands

@Suite(
    "The bus on which keyrings are opened", .timeLimit(.minutes(3)),
    .enabled(if: KeyringFixture.isAvailable, KeyringFixture.need))
struct PrivateBusTests {
    private let directory: TemporaryDirectory
    private let bus: PrivateBus

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("bus/data/keyrings/.keep", "")
        bus = try PrivateBus(directory.path + "/bus", ProcessEnvironment(["PATH": "/usr/bin:/bin"]))
    }

    private func ask(_ interface: String, _ member: String, _ arguments: String...) throws -> String {
        let options = [
            "--address=" + BlockingBus.address(ofSocket: directory.path + "/bus/bus"), "call", "org.freedesktop.DBus",
            "/org/freedesktop/DBus", interface, member,
        ]
        let output = try OutputLines()
        let process = try ChildProcess.start(
            "/usr/bin/busctl", options + arguments, environment: ["PATH": "/usr/bin:/bin"],
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                (STDOUT_FILENO, .descriptor(output.writingEnd)), (STDERR_FILENO, .descriptor(output.writingEnd)),
            ])
        output.closeWritingEnd()
        var text = ""
        while output.waitForMore(or: -1, until: .now + .seconds(60)) { text += output.newLines().joined() }
        _ = ChildProcess.wait(for: process)
        return text
    }

    @Test("gnome-keyring is asked by its own name, and is the process that the bus has started")
    func own() throws {
        let owner = try bus.keyring()
        #expect(owner.hasPrefix(":"))
        #expect(try bus.keyring() == owner)
    }

    @Test("A program that acquires gnome-keyring's name first receives no password: the bus did not start it")
    func refusesOtherOwners() throws {
        let reply = try bus.connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"
        ) { message throws(BusError) in
            try message.append(SecretServiceNames.bus)
            try message.append(UInt32(4))
        }
        #expect(try reply.readUInt32() == 1)
        let failure = #expect(throws: CommandFailure.self) { try bus.keyring() }
        #expect(
            failure?.problems.first?.message.contains("process \(getpid())") == true, "\(String(describing: failure))")
    }

    @Test("No client can monitor the bus, or change the environment in which it starts programs")
    func drivers() throws {
        #expect(
            try ask("org.freedesktop.DBus.Monitoring", "BecomeMonitor", "asu", "0", "0").contains("denied"))
        #expect(
            try ask("org.freedesktop.DBus", "UpdateActivationEnvironment", "a{ss}", "1", "LD_PRELOAD", "/tmp/x.so")
                .contains("denied"))
    }
}
