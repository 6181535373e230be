// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@Suite("The memory of autofillctl", .enabled(if: TestService.isThere, TestService.absence))
struct MemoryTests {
    /// Without the rights of root, where the tests run as root, a program may read what its user may.
    private static let asUser =
        geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : []

    private func start(_ arguments: [String], input: Pipe? = nil) throws -> Process {
        let command = Self.asUser + arguments
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Whether another program of the same user may read the memory of a process, which contains its environment.
    private func isReadable(_ process: Process) throws -> Bool {
        let reader = try start(["/usr/bin/cat", "/proc/\(process.processIdentifier)/environ"])
        reader.waitUntilExit()
        return reader.terminationStatus == 0
    }

    /// attacks.md, a hostile program, 9
    @Test(
        "What is typed into it can be read by no other program of the user, and it dumps no core",
        .timeLimit(.minutes(10)))
    func secrecy() async throws {
        let control = try start(["/usr/bin/sleep", "60"])
        defer { control.terminate() }
        for _ in 0..<100 where try !isReadable(control) {}
        try #require(try isReadable(control))
        let service = try await TestService()
        let input = Pipe()
        let command = try start(
            [
                try #require(CommandRun.executable), "vault", "create", "--passphrase-fd", "0", "--socket",
                service.socket,
            ], input: input)
        let name = "/proc/\(command.processIdentifier)/comm"
        while command.isRunning, try String(contentsOfFile: name, encoding: .utf8) != "autofillctl\n" {}
        // It may be read until it has connected, so that the service can inspect it; then it waits for the passphrase.
        var refusals = 0
        while refusals < 5, command.isRunning { refusals = try isReadable(command) ? 0 : refusals + 1 }
        try #require(command.isRunning)
        let limits = try String(contentsOfFile: "/proc/\(command.processIdentifier)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        let bytes = core.split(separator: " ").dropFirst(4).prefix(2)
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own)
        // 0 only where it may not be raised.
        let expected = own.rlim_max == 0 ? "0" : "1"
        #expect(bytes == [expected[...], expected[...]])
        input.fileHandleForWriting.write(Data((TestService.passphrase + "\n").utf8))
        command.waitUntilExit()
        #expect(command.terminationStatus == 0, "the service identifies it")
    }
}
