// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import DaemonSocket
import Glibc
import TestGround
import Testing

@Suite("A service that is not available is an error, at once")
struct AvailabilityTests {
    private func absence(
        at path: String?, environment: [String: String] = [:], isSandboxed: Bool = false,
        patience: Duration = .seconds(60)
    ) async -> AutofillUnavailable? {
        let socket = ServiceSocket(path: path, environment: { environment[$0] }, isSandboxed: isSandboxed)
        do throws(AutofillError) {
            _ = try await AutofillSession.connect(bundleID: "org.example.Shop", to: socket, patience: patience)
            return nil
        } catch {
            guard case .unavailable(let why) = error else { return nil }
            return why
        }
    }

    @Test("Without a socket it is not installed, and in a sandbox not reachable")
    func noSocket() async throws {
        let directory = try TemporaryDirectory()
        #expect(await absence(at: directory.path + "/socket") == .notInstalled)
        #expect(await absence(at: directory.path + "/socket", isSandboxed: true) == .notReachable)
        #expect(await absence(at: directory.path + "/not/there/socket") == .notInstalled)
    }

    @Test("A socket on which no process listens means that the service is not running")
    func nobodyListens() async throws {
        let directory = try TemporaryDirectory()
        close(try UnixListener.make(at: directory.path + "/socket", backlog: 1))
        #expect(await absence(at: directory.path + "/socket") == .notRunning)
    }

    @Test(
        "A directory that is closed to the user is another's",
        .enabled(if: geteuid() != 0, "root may enter every directory"))
    func closedDirectory() async throws {
        let directory = try TemporaryDirectory()
        close(try UnixListener.make(at: directory.path + "/socket", backlog: 1))
        chmod(directory.path, 0)
        defer { chmod(directory.path, 0o700) }
        #expect(await absence(at: directory.path + "/socket") == .notPermitted)
    }

    @Test("A listener that sends nothing does not respond")
    func silentListener() async throws {
        let directory = try TemporaryDirectory()
        let listener = try UnixListener.make(at: directory.path + "/socket", backlog: 8)
        defer { close(listener) }
        #expect(await absence(at: directory.path + "/socket", patience: .milliseconds(200)) == .notResponding)
    }

    @Test("A listener whose queue is full does not respond")
    func fullQueue() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/socket"
        let listener = try UnixListener.make(at: path, backlog: 0)
        defer { close(listener) }
        let first = UnixListener.connect(to: path)
        defer { close(first) }
        #expect(first >= 0)
        #expect(await absence(at: path, patience: .milliseconds(200)) == .notResponding)
    }

    @Test("A connection that ends before the answer to hello means that the service cannot start")
    func endsAtOnce() async throws {
        let service = try ScriptedService { _ in nil }
        #expect(await absence(at: service.socket) == .notResponding)
    }

    @Test("Without a runtime directory there is no session; AUTOFILLD_SOCKET comes before it")
    func environment() async throws {
        let directory = try TemporaryDirectory()
        #expect(await absence(at: nil) == .noSession)
        #expect(await absence(at: nil, environment: ["XDG_RUNTIME_DIR": ""]) == .noSession)
        #expect(await absence(at: nil, environment: ["XDG_RUNTIME_DIR": directory.path]) == .notInstalled)
        let both = ServiceSocket(
            environment: { ["XDG_RUNTIME_DIR": "/run/user/1", "AUTOFILLD_SOCKET": "/tmp/other"][$0] },
            isSandboxed: false)
        #expect(both.path == "/tmp/other")
        let usual = ServiceSocket(environment: { ["XDG_RUNTIME_DIR": "/run/user/1"][$0] }, isSandboxed: false)
        #expect(usual.path == "/run/user/1/autofilld/socket")
    }

    @Test("A path that no socket can have is reported")
    func longPath() async {
        #expect(await absence(at: "/" + String(repeating: "a", count: 200)) == .pathTooLong)
    }

    @Test("Every absence has a message and a fix", arguments: AutofillUnavailable.allCases)
    func texts(of absence: AutofillUnavailable) {
        #expect(!absence.message.isEmpty && !absence.message.hasSuffix("."))
        #expect(!absence.fix.isEmpty)
    }
}
