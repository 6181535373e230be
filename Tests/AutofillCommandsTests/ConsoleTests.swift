// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SecretMemory
import Testing

@testable import AutofillCommands

@Suite("What is read from a descriptor, and what is written to standard output")
struct ConsoleTests {
    /// Both ends of a connection.
    private static func pair() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    private static func read(_ descriptor: Int32, toItsEnd isWhole: Bool) throws -> String {
        let bytes =
            try isWhole
            ? HiddenInput.readAll(descriptor: descriptor, limit: 64)
            : HiddenInput.read(descriptor: descriptor, limit: 64)
        return bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Bytes before a read error are not used as a secret: the command fails", arguments: [false, true])
    func brokenInput(toItsEnd isWhole: Bool) throws {
        let (reading, writing) = try Self.pair()
        defer { close(reading) }
        // A peer that ends with unread data resets the connection after what it has written.
        #expect(write(reading, "unread", 6) == 6 && write(writing, "half a sec", 10) == 10)
        close(writing)
        let failure = #expect(throws: CommandFailure.self) { _ = try Self.read(reading, toItsEnd: isWhole) }
        #expect(failure?.status == .noInput)
        #expect(failure?.problems.first?.message.contains("cannot be read: Connection reset by peer") == true)
    }

    @Test("A later input is awaited even on a non-blocking descriptor", arguments: [false, true])
    func nonBlockingInput(toItsEnd isWhole: Bool) throws {
        let (reading, writing) = try Self.pair()
        defer { close(reading) }
        try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0 && write(writing, "se", 2) == 2)
        DispatchQueue(label: "org.autofilld.test.input").async {
            _ = write(writing, "cret", 4)
            close(writing)
        }
        #expect(try Self.read(reading, toItsEnd: isWhole) == "secret")
    }

    @Test(
        "A result that cannot be written to standard output is a reported failure",
        .enabled(if: CommandRun.executable != nil, "needs autofillctl beside the tests"),
        arguments: [["rules", "parse", "minlength: 8"], ["rules", "parse", "--json", "minlength: 8"], ["manual"]])
    func fullOutput(arguments: [String]) async throws {
        let run = try await CommandRun.atTerminal(
            arguments, dialogue: [], printsThere: true, shell: #""$@" >/dev/full; echo "status $?""#)
        #expect(run.screen.contains("status 71"), "\(run.screen)")
        #expect(run.errors.contains("Standard output cannot be written: No space left on device"))
    }

    @Test(
        "A reader that closes the pipe early causes no failure",
        .enabled(if: CommandRun.executable != nil, "needs autofillctl beside the tests"))
    func closedOutput() async throws {
        let script = #"""
            trap "" PIPE; mkfifo "$HOME/f"; exec 3<>"$HOME/f" 4>"$HOME/f" 3<&-
            "$@" >&4; echo "status $?" >&2
            """#
        let run = try await CommandRun.atTerminal(["manual"], dialogue: [], shell: script)
        #expect(run.errors == "status 0\n")
    }
}
