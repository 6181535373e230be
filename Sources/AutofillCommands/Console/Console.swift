// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import Synchronization

/// Standard output and error, and their capabilities.
struct Console: Sendable {
    /// Whether standard output is a terminal.
    let isTerminal: Bool
    /// Whether colours may be used there.
    let hasColours: Bool
    /// Columns of the terminal; nil if there is no terminal, and lines may have any length.
    let width: Int?

    init(isTerminal: Bool, hasColours: Bool, width: Int?) {
        self.isTerminal = isTerminal
        self.hasColours = hasColours
        self.width = width
    }

    /// The streams of this process. `NO_COLOR` with any value, and `TERM=dumb`, disable colours (no-color.org).
    static func ofThisProcess(_ environment: ProcessEnvironment = .current) -> Console {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let wantsColours = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        return Console(
            isTerminal: isTerminal, hasColours: isTerminal && wantsColours,
            width: isTerminal ? terminalWidth(STDOUT_FILENO) : nil)
    }

    /// A text at the right of a heading, wrapped to the terminal's width; one line if there is no terminal.
    ///
    /// - Parameters:
    ///   - indent: columns of the lines after the first; nil for the heading's.
    ///   - width: columns of a terminal other than standard output.
    func hanging(
        _ heading: String, _ text: String, indent: Int? = nil, styled style: Style? = nil, within width: Int?? = nil
    ) -> [String] {
        let indent = indent ?? heading.columns
        let lines = (width ?? self.width).map { text.wrapped(toColumns: max(20, $0 - indent)) } ?? [text]
        return lines.enumerated().map { index, line in
            (index == 0 ? heading : String(repeating: " ", count: indent)) + (style.map { styled(line, $0) } ?? line)
        }
    }

    /// Prints a text at the right of a heading.
    func print(_ heading: String, hanging text: String, indent: Int? = nil) {
        for line in hanging(heading, text, indent: indent) { print(line) }
    }

    /// Prints a failure on standard error.
    func print(_ failure: CommandFailure) {
        let width = isatty(STDERR_FILENO) == 1 ? Self.terminalWidth(STDERR_FILENO) : nil
        for line in failure.lines(self, within: width) { printError(line) }
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

    /// Prints bytes without a line feed.
    func print(bytes: UnsafeRawBufferPointer) { Self.write(bytes, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let unwritten = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, unwritten.baseAddress, unwritten.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let number = count < 0 ? errno : ENOSPC
                // A reader that has closed the pipe has read enough.
                if descriptor == STDOUT_FILENO, number != EPIPE { outputError.store(number, ordering: .relaxed) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The errno of a failed write to standard output; 0 if none failed.
    private static let outputError = Atomic<Int32>(0)

    /// Throws if a write to standard output failed: the result is missing, although the command was performed.
    static func checkOutput() throws(CommandFailure) {
        let number = outputError.load(ordering: .relaxed)
        guard number != 0 else { return }
        let cause = String(cString: strerror(number))
        throw CommandFailure(.system, "Standard output cannot be written: \(cause); the command was performed")
    }

    private static func terminalWidth(_ descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
