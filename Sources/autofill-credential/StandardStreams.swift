// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import Glibc
internal import SecretMemory

/// The input of a helper from its tool, and its output.
enum StandardStreams {
    /// More than any tool sends.
    static let inputLimit = 256 * 1024

    /// Calls `body` with all of standard input, or with nothing if it is not needed.
    static func withInput<Result>(_ isNeeded: Bool, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var input = SecretBuffer()
        while isNeeded, input.count < inputLimit, read(STDIN_FILENO, into: &input) {}
        return input.withUnsafeBytes(body)
    }

    /// Reads the available bytes; false at the end.
    static func read(_ descriptor: Int32, into buffer: inout SecretBuffer) -> Bool {
        while true {
            var failure: Int32 = 0
            let count = buffer.append(upTo: 16 * 1024) { space in
                let count = Glibc.read(descriptor, space.baseAddress, space.count)
                failure = count < 0 ? errno : 0
                return count
            }
            if failure != EINTR { return count > 0 }
        }
    }

    @discardableResult
    static func write(_ bytes: SecretBytes, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let unwritten = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, unwritten.baseAddress, unwritten.count)
                guard count > 0 || errno == EINTR else { return false }
                rest = rest.dropFirst(max(count, 0))
            }
            return true
        }
    }

    /// Prints one line on standard error.
    static func printError(_ text: String) { write(SecretBytes(utf8: text + "\n"), to: STDERR_FILENO) }

    /// What the user types at the terminal, without echo; nil if there is no terminal.
    static func ask(_ prompt: String) -> SecretBytes? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var shown = termios()
        guard tcgetattr(terminal, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer { tcsetattr(terminal, TCSAFLUSH, &shown) }
        write(SecretBytes(utf8: prompt), to: terminal)
        defer { write(SecretBytes(utf8: "\n"), to: terminal) }
        var typed = SecretBuffer()
        while typed.withUnsafeBytes({ LineFraming.lineFeed(in: $0) }) == nil, typed.count < inputLimit,
            read(terminal, into: &typed)
        {}
        return typed.withUnsafeBytes { bytes in
            SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: "\n") }))
        }
    }
}

/// The lines of standard input, each returned as soon as it is complete.
struct InputLines: ~Copyable {
    private var buffer = SecretBuffer()

    /// Calls `body` with the next line, without its line feed; false at the end.
    mutating func next(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        while true {
            let length = buffer.withUnsafeBytes { LineFraming.lineFeed(in: $0) }
            if let length {
                buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
                buffer.removeFirst(length + 1)
                return true
            }
            guard buffer.count < StandardStreams.inputLimit, StandardStreams.read(STDIN_FILENO, into: &buffer) else {
                return false
            }
        }
    }
}
