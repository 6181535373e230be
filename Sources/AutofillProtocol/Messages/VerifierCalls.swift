// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Keeps what a password can be checked against, and not the password.
package struct VerifierSet: MethodCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierSet
    package let service: String
    package let account: String
    package let password: SecretBytes
    /// The app's own, its bundle ID, when it is absent.
    package let accessGroup: String?
    package let interaction: Interaction

    package init(
        service: String, account: String, password: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow
    ) {
        self.service = service
        self.account = account
        self.password = password
        self.accessGroup = accessGroup
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        writer.member("password", password)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}

/// Whether a password is the one that was set.
package struct VerifierCheck: MethodCall {
    package static let method = Method.verifierCheck
    package let service: String
    package let account: String
    package let password: SecretBytes
    package let accessGroup: String?

    package init(service: String, account: String, password: SecretBytes, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.password = password
        self.accessGroup = accessGroup
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        writer.member("password", password)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
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
package struct VerifierDelete: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.verifierDelete
    package let service: String
    package let account: String
    package let accessGroup: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, accessGroup: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// The hash of a verifier, in PHC form: a recorded release.
package struct VerifierExport: ProvableCall {
    package static let method = Method.verifierExport
    package let service: String
    package let account: String
    package let accessGroup: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, accessGroup: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
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
package struct VerifierImport: ProvableCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierImport
    package let service: String
    package let account: String
    /// PHC form, scrypt.
    package let hash: SecretBytes
    package let accessGroup: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, hash: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.account = account
        self.hash = hash
        self.accessGroup = accessGroup
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.string("service", bytes: 1...Limits.itemNameBytes)
        account = try members.string("account", bytes: 1...Limits.itemNameBytes)
        hash = try members.secret("hash", bytes: 1...Limits.verifierHashBytes)
        accessGroup = try members.optionalString("accessGroup", bytes: 1...255)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("account", account)
        writer.member("hash", hash)
        if let accessGroup { writer.member("accessGroup", accessGroup) }
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
