// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault, as it is kept.
package struct SlotEntry: Message, Hashable {
    package let slot: Int
    package let kind: String
    package let label: String
    package let created: String?
    package let scrypt: ScryptCost?
    package let isIntact: Bool

    package init(slot: Int, kind: String, label: String, created: String?, scrypt: ScryptCost?, isIntact: Bool) {
        (self.slot, self.kind, self.label, self.created, self.scrypt) = (slot, kind, label, created, scrypt)
        self.isIntact = isIntact
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            slot: try field("slot", \.slot, .integer(1...Int.max), "The number of the slot."),
            kind: try field("kind", \.kind, .word(Words.slotKinds, 1...32), "`passphrase`, `key` or `recoveryKey`."),
            label: try field("label", \.label, .string(0...Limits.labelBytes), "The name for people."),
            created: try field(optional: "created", \.created, .instant, "When it was created."),
            scrypt: try field(optional: "scrypt", \.scrypt, .object(), "The cost of a guess."),
            isIntact: try field(
                "intact", \.isIntact, .boolean, "False if its row is corrupt: then it may not open the vault."))
    }
}
