// SPDX-License-Identifier: Apache-2.0

/// The file that an interpreter was started to run, according to its arguments. A program can write its own arguments:
/// against one that does, this is worth no more than its own claim.
package struct Script: Hashable, Sendable {
    /// Without links; printable.
    package let path: String
    /// The SHA-256 of what it held when its process connected, in lower-case hexadecimal.
    package let hash: String

    package init(path: String, hash: String) { (self.path, self.hash) = (path, hash) }

    /// The text of a subject, alone or after a login's: `script:/usr/share/shop/app.py#<sha256>`.
    package var line: String { "script:\(path)#\(hash)" }
}

extension Interpreter {
    /// The name of the file that it was started to run; nil where its arguments are ambiguous.
    ///
    /// - Parameter arguments: as in `/proc/PID/cmdline`, its own name first.
    package func script(in arguments: [[UInt8]]) -> [UInt8]? {
        guard Self.running.contains(family) else { return nil }
        let rest = arguments.dropFirst().drop { family == "python" && Self.isPlainOption($0) }
        guard let name = rest.first, let first = name.first, first != UInt8(ascii: "-") else { return nil }
        return name
    }

    /// The families whose first argument is the file to run.
    private static let running: Set = [
        "python", "node", "gjs", "ruby", "perl", "shell", "php", "lua", "tcl", "r", "julia",
    ]

    /// Options that state how Python runs a file, and not which: `-I`, `-sE`.
    private static func isPlainOption(_ argument: [UInt8]) -> Bool {
        argument.count > 1 && argument.first == UInt8(ascii: "-")
            && argument.dropFirst().allSatisfy { "BEIOPRbqsSuv".utf8.contains($0) }
    }
}
