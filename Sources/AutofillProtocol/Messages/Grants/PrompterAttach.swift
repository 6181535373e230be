// SPDX-License-Identifier: Apache-2.0

package struct PrompterAttach: ProvableCall {
    package static let declaration = MethodDeclaration(
        .prompterAttach,
        """
        Shows prompts on a terminal, instead of the session's display, as long as the \
        connection lasts.
        """, .administer, vault: .open, proof: .needed, repeatable: false)
    package let terminal: String
    package let type: String
    package let proof: Proof?

    package init(terminal: String, type: String, proof: Proof?) {
        (self.terminal, self.type, self.proof) = (terminal, type, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            terminal: try field("terminal", \.terminal, .string(1...32), "`/dev/pts/3`, `/dev/tty2`."),
            type: try field("type", \.type, .string(1...64), "Its type in terminfo: `xterm-256color`."),
            proof: try field.proof(\.proof))
        guard isTerminal(call.terminal) else { throw field.invalid("terminal", "/dev/pts/N or /dev/ttyN") }
        guard isType(call.type) else { throw field.invalid("type", "a terminal's type, as in TERM") }
        return call
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
