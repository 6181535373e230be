// SPDX-License-Identifier: Apache-2.0

/// Shows prompts on a terminal, in the place of the session's display, as long as the connection lasts.
package struct PrompterAttach: ProvableCall {
    package static let method = Method.prompterAttach
    /// `/dev/pts/3`, `/dev/tty2`.
    package let terminal: String
    /// Its type in terminfo: `xterm-256color`.
    package let type: String
    package let proof: Proof?

    package init(terminal: String, type: String, proof: Proof?) {
        self.terminal = terminal
        self.type = type
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        terminal = try members.string("terminal", bytes: 1...32)
        type = try members.string("type", bytes: 1...64)
        proof = try members.optionalValue("proof")
        guard Self.isTerminal(terminal) else { throw members.invalid("terminal", "/dev/pts/N or /dev/ttyN") }
        guard Self.isType(type) else { throw members.invalid("type", "a terminal's type, as in TERM") }
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("terminal", terminal)
        writer.member("type", type)
        if let proof { writer.member("proof", proof) }
    }

    package typealias Answer = Changed

    /// Whether a path is a terminal's own, and no way to another file.
    package static func isTerminal(_ path: String) -> Bool {
        for prefix in ["/dev/pts/", "/dev/tty"] where path.hasPrefix(prefix) {
            let number = path.utf8.dropFirst(prefix.utf8.count)
            if !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        }
        return false
    }

    /// Whether it is a name that terminfo could have.
    package static func isType(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch UInt8(byte) {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x5F: true
                case 0x2E: !name.hasPrefix(".")
                default: false
                }
            }
    }
}
