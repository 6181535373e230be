// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import Synchronization

/// Standard output and error, and what they can show.
struct Console: Sendable {
    /// Whether standard output is a terminal.
    let isTerminal: Bool
    /// Whether colours may be used there.
    let hasColours: Bool
    /// Columns of the terminal; nil where there is none, and lines may have any length.
    let width: Int?

    init(isTerminal: Bool, hasColours: Bool, width: Int?) {
        self.isTerminal = isTerminal
        self.hasColours = hasColours
        self.width = width
    }

    /// As this process finds it. `NO_COLOR` with any value, and `TERM=dumb`, keep colours away (no-color.org).
    static func ofThisProcess(_ environment: ProcessEnvironment = .current) -> Console {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let wantsColours = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        return Console(
            isTerminal: isTerminal, hasColours: isTerminal && wantsColours, width: isTerminal ? terminalWidth() : nil)
    }

    func print(_ line: String = "", terminator: String = "\n") { Self.write(line + terminator, to: STDOUT_FILENO) }

    func printError(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    /// One object, on one line.
    func print(json body: (inout JSONWriter) -> Void) {
        Self.write(Self.line(body), to: STDOUT_FILENO)
    }

    func printError(json body: (inout JSONWriter) -> Void) {
        Self.write(Self.line(body), to: STDERR_FILENO)
    }

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object { body(&$0) }
        writer.endLine()
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Bytes as they are, and no line end.
    func print(bytes: UnsafeRawBufferPointer) { Self.write(bytes, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = count < 0 ? errno : ENOSPC
                // Who reads no more has seen enough.
                if descriptor == STDOUT_FILENO, number != EPIPE { outputError.store(number, ordering: .relaxed) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The errno of what could not be written to standard output; 0 where all could.
    private static let outputError = Atomic<Int32>(0)

    /// Throws where something could not be written to standard output: the result is not there, whatever was done.
    static func checkOutput() throws(CommandFailure) {
        let number = outputError.load(ordering: .relaxed)
        guard number != 0 else { return }
        let cause = String(cString: strerror(number))
        throw CommandFailure(.system, "Standard output cannot be written: \(cause); what was asked for was done")
    }

    private static func terminalWidth() -> Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
