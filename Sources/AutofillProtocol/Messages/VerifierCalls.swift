// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Keeps what a password can be checked against, and not the password.
package struct VerifierSet: ItemCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierSet
    package let place: ItemPlace
    package let password: SecretBytes
    package let interaction: Interaction

    package init(
        service: String, account: String, password: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.password = password
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("password", password)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}

/// Whether a password is the one that was set.
package struct VerifierCheck: ItemCall {
    package static let method = Method.verifierCheck
    package let place: ItemPlace
    package let password: SecretBytes

    package init(service: String, account: String, password: SecretBytes, accessGroup: String? = nil) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.password = password
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("password", password)
    }

    package struct Answer: WireValue, Hashable {
        package let isRight: Bool

        package init(isRight: Bool) {
            self.isRight = isRight
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            isRight = try members.bool("right")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("right", isRight)
        }
    }
}

/// Removes a verifier, for good.
package struct VerifierDelete: PlainItemCall {
    package typealias Answer = Changed
    package static let method = Method.verifierDelete
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }
}

/// The hash of a verifier, in PHC form: a recorded release.
package struct VerifierExport: PlainItemCall {
    package static let method = Method.verifierExport
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }

    package struct Answer: WireValue {
        /// `$scrypt$ln=…,r=…,p=…$salt$hash`
        package let hash: SecretBytes

        package init(hash: SecretBytes) {
            self.hash = hash
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            hash = try members.secret("hash", bytes: 1...Limits.verifierHashBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("hash", hash)
        }
    }
}

/// Keeps a hash that was made elsewhere.
package struct VerifierImport: ItemCall, ProvableCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierImport
    package let place: ItemPlace
    /// PHC form, scrypt.
    package let hash: SecretBytes
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, hash: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.hash = hash
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        hash = try members.secret("hash", bytes: 1...Limits.verifierHashBytes)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("hash", hash)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// A verifier was kept.
package struct VerifierSaved: WireValue, Hashable {
    package let verifier: String
    package let changed: Bool

    package init(verifier: String, changed: Bool) {
        self.verifier = verifier
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        verifier = try members.string("verifier", bytes: 1...64)
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("verifier", verifier)
        writer.member("changed", changed)
    }
}
