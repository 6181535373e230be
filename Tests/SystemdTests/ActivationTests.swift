// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Systemd
import Testing

@Suite struct ActivationTests {
    @Test(
        "Sockets for another process, or none, are not used; counts and names that do not match are refused",
        arguments: [
            ("none", ["LISTEN_FDS": "1"], "exec"), ("none", ["LISTEN_FDS": "1", "LISTEN_PID": "1"], "exec"),
            ("refused", ["LISTEN_FDS": "x"], "LISTEN_PID=$$ exec"),
            ("refused", ["LISTEN_FDS": "-1"], "LISTEN_PID=$$ exec"),
            ("refused", ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "a:b"], "LISTEN_PID=$$ exec"),
        ] as [(String, [String: String], String)])
    func oddlyActivated(expected: String, variables: [String: String], start: String) throws {
        var variables = variables
        variables["AUTOFILL_ACTIVATION_CHILD"] = expected
        let (status, output) = try run(
            ["/bin/sh", "-c", "\(start) \"$@\" 3</dev/null", "sh"] + testProgram(filter: "OddlyActivatedChild"),
            environment: variables)
        #expect(status == 0, "\(output)")
    }

    @Test(
        "A program started by systemd-socket-activate uses its socket, answers on it, and reports that it is ready",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-socket-activate"),
            "needs systemd-socket-activate"))
    func activated() throws {
        let manager = try DatagramListener()
        let path = "\(manager.directory)/s"
        let activator = [
            "systemd-socket-activate", "-l", path, "--fdname=autofill", "-E", "NOTIFY_SOCKET=\(manager.path)",
        ]
        let child = try start(activator + testProgram(filter: "ActivatedChild"), environment: [:])
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        // There is no event to await before the activator listens: retry until it does or has ended.
        while !connectSocket(client, to: path) { try #require(waitpid(child, nil, WNOHANG) == 0, "it did not start") }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = read(client, &answer, answer.count)
        try #require(count >= 0)
        #expect(String(decoding: answer[..<count], as: UTF8.self) == "autofill 3")
        #expect(wait(for: child) == 0)
        #expect(try manager.next() == "READY=1\nSTATUS=Answering.")
    }
}

/// Runs in a process whose variables name sockets that it does not have.
@Suite(.enabled(if: getenv("AUTOFILL_ACTIVATION_CHILD") != nil, "runs within another test"))
struct OddlyActivatedChild {
    @Test("A process uses no socket that it does not have") func usesNone() throws {
        let environment = ServiceEnvironment.ofThisProcess()
        if getenv("AUTOFILL_ACTIVATION_CHILD").map({ String(cString: $0) }) == "none" {
            #expect(try environment.activationSockets() == [])
        } else {
            #expect(throws: ActivationError.self) { try environment.activationSockets() }
        }
    }
}

/// What runs in the process that systemd-socket-activate started.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LISTEN_PID"] == "\(getpid())", "runs within another test"))
struct ActivatedChild {
    @Test("The socket that was passed is found by its name") func usesSocket() throws {
        let environment = ServiceEnvironment.ofThisProcess()
        let socket = try #require(environment.activationSockets().first)
        #expect(fcntl(socket.descriptor, F_GETFD) == FD_CLOEXEC)
        let connection = accept(socket.descriptor, nil, nil)
        defer { close(connection) }
        environment.notifier(on: try EventLoop()).ready(status: "Answering.")
        let answer = Array("\(socket.name) \(socket.descriptor)".utf8)
        #expect(write(connection, answer, answer.count) == answer.count)
        close(socket.descriptor)
        let file = open("/dev/null", O_RDONLY)
        try #require(file == socket.descriptor)
        #expect(throws: ActivationError.notAListener(name: "autofill", errno: EPROTOTYPE)) {
            try environment.activationSockets()
        }
    }
}
