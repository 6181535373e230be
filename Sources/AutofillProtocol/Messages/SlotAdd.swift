// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

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
