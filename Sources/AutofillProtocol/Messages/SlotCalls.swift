// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The ways to open the vault.
package struct SlotList: ProvableCall {
    package static let method = Method.slotList
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let slots: [SlotEntry]

        package init(slots: [SlotEntry]) { self.slots = slots }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
        }

        package func write(to writer: inout JSONWriter) { writer.member("slots", slots) }
    }
}

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

/// The parameters of scrypt.
package struct ScryptCost: WireValue, Hashable {
    package let n: Int
    package let r: Int
    package let p: Int

    package init(n: Int, r: Int, p: Int) {
        self.n = n
        self.r = r
        self.p = p
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        n = try members.integer("n", in: 1...Int.max)
        r = try members.integer("r", in: 1...Int.max)
        p = try members.integer("p", in: 1...Int.max)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("n", n)
        writer.member("r", r)
        writer.member("p", p)
    }
}

/// Adds a way to open the vault.
package struct SlotAdd: ProvableCall {
    package static let method = Method.slotAdd
    package let secret: NewSecret
    package let label: String?
    package let proof: Proof?

    package init(secret: NewSecret, label: String? = nil, proof: Proof?) {
        self.secret = secret
        self.label = label
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secret = try NewSecret.one(from: &members)
        label = try members.optionalString("label", bytes: 1...Limits.labelBytes)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        secret.write(to: &writer)
        if let label { writer.member("label", label) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let slot: Int
        package let kind: String
        /// What it protects from, and what not.
        package let protects: String
        /// The recovery key that was drawn, grouped. Told this once.
        package let recoveryKey: SecretBytes?

        package init(slot: Int, kind: String, protects: String, recoveryKey: SecretBytes?) {
            self.slot = slot
            self.kind = kind
            self.protects = protects
            self.recoveryKey = recoveryKey
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slot = try members.integer("slot", in: 1...Int.max)
            kind = try members.string("kind", bytes: 1...32)
            protects = try members.string("protects", bytes: 0...1024)
            recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("slot", slot)
            writer.member("kind", kind)
            writer.member("protects", protects)
            if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
        }
    }
}

/// Gives a slot another secret; no record is rewritten.
package struct SlotChange: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let method = Method.slotChange
    package let slot: Int
    package let secret: NewSecret
    package let label: String?
    package let proof: Proof?

    package init(slot: Int, secret: NewSecret, label: String? = nil, proof: Proof?) {
        self.slot = slot
        self.secret = secret
        self.label = label
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        slot = try members.integer("slot", in: 1...Int.max)
        secret = try NewSecret.one(from: &members)
        label = try members.optionalString("label", bytes: 1...Limits.labelBytes)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("slot", slot)
        secret.write(to: &writer)
        if let label { writer.member("label", label) }
        if let proof { writer.member("proof", proof) }
    }
}

/// Takes a way to open the vault away; never the last one.
package struct SlotRemove: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let method = Method.slotRemove
    package let slot: Int
    package let proof: Proof?

    package init(slot: Int, proof: Proof?) {
        self.slot = slot
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        slot = try members.integer("slot", in: 1...Int.max)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("slot", slot)
        if let proof { writer.member("proof", proof) }
    }
}

/// What is left of a secret that is no longer a slot's.
package struct ChangedSlot: WireValue {
    /// The paths of the backups that the former secret still opens.
    package let backups: [String]
    /// The recovery key that was drawn, grouped. Told this once.
    package let recoveryKey: SecretBytes?

    package init(backups: [String], recoveryKey: SecretBytes? = nil) {
        self.backups = backups
        self.recoveryKey = recoveryKey
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        backups = try members.strings("backups")
        recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("backups", backups)
        if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
    }
}
