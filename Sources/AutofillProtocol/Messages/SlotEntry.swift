// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault, as it is kept.
package struct SlotEntry: WireValue, Hashable {
    package let slot: Int
    /// `passphrase`, `key` or `recoveryKey`.
    package let kind: String
    package let label: String
    package let created: String?
    /// The cost of a guess: scrypt's N, r and p (RFC 7914); nil for the other kinds, which need none.
    package let scrypt: ScryptCost?
    /// False where its row is damaged: it may open no more.
    package let isSound: Bool

    package init(slot: Int, kind: String, label: String, created: String?, scrypt: ScryptCost?, isSound: Bool) {
        self.slot = slot
        self.kind = kind
        self.label = label
        self.created = created
        self.scrypt = scrypt
        self.isSound = isSound
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        slot = try members.integer("slot", in: 1...Int.max)
        kind = try members.string("kind", bytes: 1...32)
        label = try members.string("label", bytes: 0...Limits.labelBytes)
        created = try members.optionalString("created", bytes: 1...64)
        scrypt = try members.optionalValue("scrypt")
        isSound = try members.bool("sound")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("slot", slot)
        writer.member("kind", kind)
        writer.member("label", label)
        writer.member("created", orNull: created)
        if let scrypt { writer.member("scrypt", scrypt) }
        writer.member("sound", isSound)
    }
}
