// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The controlling terminal of this process, to ask the user.
struct Terminal {
    let descriptor: Int32
    /// Control-C, as a byte.
    static let interrupt: UInt8 = 3

    /// - Parameter way: the fix if there is no terminal.
    init(orElse way: String) throws(CommandFailure) {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(.noInput, "There is no terminal to prompt on", fix: way) }
    }

    /// Whether this process has a controlling terminal.
    static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        return descriptor >= 0
    }

    func close() { _ = Glibc.close(descriptor) }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    /// Asks a question that is answered by yes or no; any other answer means no.
    func confirms(_ question: String) -> Bool {
        ["y", "yes"].contains(answer(question + " [y/N] ").lowercased())
    }

    /// Asks a question; the answer is a line of 16 bytes at most.
    func answer(_ question: String) -> String {
        write(question)
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            if answer.count < 16 { answer.append(byte) }
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Runs `body` with the echo off, and restores the terminal.
    func withoutEcho<Result>(_ body: () throws(CommandFailure) -> Result) throws(CommandFailure) -> Result {
        let echo = try TerminalEcho(of: self)
        try echo.hide(keysSendSignals: false)
        defer { echo.restore() }
        return try body()
    }

    /// Discards what was typed at this process's terminal and not read: it may be a secret that was typed too early, and
    /// the shell would run it.
    static func discardInput() {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // A process in the background would be stopped.
        if tcgetpgrp(descriptor) == getpgrp() { tcflush(descriptor, TCIFLUSH) }
        _ = Glibc.close(descriptor)
    }
}

/// Asks for confirmation of an action that cannot be undone.
func confirm(_ question: String, unless isConfirmed: Bool) throws(CommandFailure) {
    if isConfirmed { return }
    let terminal = try Terminal(orElse: "Add --yes")
    defer { terminal.close() }
    guard terminal.confirms(question) else { throw CommandFailure(.refused, "Nothing was changed") }
}
