// SPDX-License-Identifier: Apache-2.0
import Glibc
import SecretMemory

/// Reads secrets: from the terminal without echo, or from a descriptor. Never from an argument or the environment,
/// which other programs can read.
enum HiddenInput {
    /// Bytes of a line that a terminal passes; the kernel discards what comes after them (termios(3), canonical mode).
    static let terminalLineBytes = 4095

    /// Asks on the controlling terminal, whatever standard input is.
    ///
    /// - Parameter limit: bytes at most.
    static func ask(_ prompt: String, limit: Int, elsewhere: String) throws(CommandFailure) -> SecretBytes {
        let terminal = try Terminal(orElse: elsewhere)
        defer { terminal.close() }
        return try terminal.withoutEcho { () throws(CommandFailure) in
            terminal.write(prompt)
            defer { terminal.write("\n") }
            let typed = try line(from: terminal.descriptor, limit: limit, interruptedBy: Terminal.interrupt)
            guard typed.count < terminalLineBytes else {
                throw CommandFailure(
                    .usage,
                    "A terminal passes \(terminalLineBytes) bytes of a line, and this one may be longer; nothing was changed",
                    fix: elsewhere)
            }
            return typed
        }
    }

    /// Asks twice, and accepts only two equal inputs.
    static func askTwice(_ prompt: String, limit: Int, elsewhere: String) throws(CommandFailure) -> SecretBytes {
        let first = try ask(prompt, limit: limit, elsewhere: elsewhere)
        let second = try ask("Again: ", limit: limit, elsewhere: elsewhere)
        guard first.equals(second) else {
            throw CommandFailure(.refused, "The two inputs differ; nothing was changed", fix: "Try again")
        }
        return first
    }

    /// The first line of a descriptor, without its line feed; all of it if there is none.
    static func read(descriptor: Int32, limit: Int) throws(CommandFailure) -> SecretBytes {
        try take(descriptor)
        return try line(from: descriptor, limit: limit)
    }

    /// A program that is started later does not get it: it could read the secret again.
    private static func take(_ descriptor: Int32) throws(CommandFailure) {
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw CommandFailure(
                .noInput, "Descriptor \(descriptor) is not open",
                fix: "Open it in the shell, with \(descriptor)<FILE at the end, or name 0, which is standard input")
        }
        if descriptor > STDERR_FILENO { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// All bytes of a descriptor, to its end.
    static func readAll(descriptor: Int32, limit: Int) throws(CommandFailure) -> SecretBytes {
        try take(descriptor)
        var count = 0
        var failure: Int32?
        let buffer = SecretBytes(count: limit + 1) { memory in
            while count < memory.count {
                switch read(UnsafeMutableRawBufferPointer(rebasing: memory[count...]), from: descriptor) {
                case .bytes(let got): count += got
                case .end: return
                case .failure(let number):
                    failure = number
                    return
                }
            }
        }
        if let failure { throw unreadable(failure) }
        if count > limit {
            throw CommandFailure(
                .usage, "Descriptor \(descriptor) has more than \(limit) bytes", fix: "Give at most that many")
        }
        return buffer.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    private enum Reading {
        case bytes(Int)
        case end
        /// With its errno.
        case failure(Int32)
    }

    /// Reads once, and waits even if the descriptor is non-blocking.
    private static func read(_ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Reading {
        while true {
            let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
            guard count < 0 else { return count == 0 ? .end : .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
            case let number: return .failure(number)
            }
        }
    }

    /// Bytes before the error may belong to a secret: none of them is used.
    private static func unreadable(_ number: Int32) -> CommandFailure {
        CommandFailure(.noInput, "The input cannot be read: \(String(cString: strerror(number))); nothing was changed")
    }

    /// - Parameter interrupt: the byte of Control-C; nil if it is an ordinary byte.
    static func line(
        from descriptor: Int32, limit: Int, interruptedBy interrupt: UInt8? = nil
    ) throws(CommandFailure) -> SecretBytes {
        var count = 0
        var isInterrupted = false
        var isTooLong = false
        var failure: Int32?
        let buffer = SecretBytes(count: limit + 1) { memory in
            // Byte by byte, so that the bytes after the line are left for other readers.
            while true {
                switch read(UnsafeMutableRawBufferPointer(rebasing: memory[count...count]), from: descriptor) {
                case .bytes: break
                case .end: return
                case .failure(let number):
                    failure = number
                    return
                }
                if memory[count] == interrupt {
                    isInterrupted = true
                    return
                }
                if memory[count] == UInt8(ascii: "\n") { return }
                count += 1
                if count > limit {
                    isTooLong = true
                    return
                }
            }
        }
        if let failure { throw unreadable(failure) }
        if isInterrupted { throw CommandFailure(.interrupted, "Interrupted; nothing was changed") }
        if isTooLong {
            throw CommandFailure(.usage, "The input has more than \(limit) bytes", fix: "Choose a shorter one")
        }
        guard count > 0 else {
            throw CommandFailure(.usage, "Nothing was typed; nothing was changed", fix: "Try again")
        }
        return buffer.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
