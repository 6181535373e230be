// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault.
package struct SlotReport: Message, Hashable {
    package let kind: String
    package let protects: String

    package init(kind: String, protects: String) { (self.kind, self.protects) = (kind, protects) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            kind: try field("kind", \.kind, .word(Words.slotKinds, 1...32), "`passphrase`, `key` or `recoveryKey`."),
            protects: try field(
                "protects", \.protects, .string(0...1024), "What it protects from, and what not, in sentences."))
    }
}
