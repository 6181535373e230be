// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Gives a saved credential the secret of its one-time codes.
package struct CodeSet: ProvableCall {
    package typealias Answer = SavedAnswer
    package static let method = Method.codeSet
    package let service: ServiceIdentifier
    /// The account of the URI when it is absent.
    package let user: String?
    /// `otpauth://…`
    package let uri: SecretBytes
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String? = nil, uri: SecretBytes, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.uri = uri
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        uri = try members.secret("uri", bytes: 1...Limits.codeURIBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let user { writer.member("user", user) }
        writer.member("uri", uri)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// The one-time code of now: a recorded release.
package struct CodeGet: ProvableCall {
    package static let method = Method.codeGet
    package let service: ServiceIdentifier
    /// A code that came in, else that of the credential used last, when it is absent.
    package let user: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let user { writer.member("user", user) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let code: SecretBytes
        /// `time`, `counter` or `incoming`.
        package let source: String
        /// The first instant at which it is no longer the current one; nil for a counter's.
        package let validUntil: String?
        /// nil for a code that came in.
        package let credential: String?
        package let user: String?

        package init(code: SecretBytes, source: String, validUntil: String?, credential: String?, user: String?) {
            self.code = code
            self.source = source
            self.validUntil = validUntil
            self.credential = credential
            self.user = user
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            code = try members.secret("code", bytes: 1...Limits.codeBytes)
            source = try members.string("source", bytes: 1...32)
            validUntil = try members.optionalString("validUntil", bytes: 1...64)
            credential = try members.optionalString("credential", bytes: 1...64)
            user = try members.optionalString("user", bytes: 0...Limits.userBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("code", code)
            writer.member("source", source)
            writer.member("validUntil", orNull: validUntil)
            writer.member("credential", orNull: credential)
            writer.member("user", orNull: user)
        }
    }
}

/// Takes the one-time codes from a credential.
package struct CodeDelete: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.codeDelete
    package let service: ServiceIdentifier
    package let user: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String, ifVersion: Int? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.service = service
        self.user = user
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.string("user", bytes: 1...Limits.userBytes)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("user", user)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}

/// The secret of one-time codes as it was set, to take it elsewhere.
package struct CodeExport: ProvableCall {
    package static let method = Method.codeExport
    package let service: ServiceIdentifier
    package let user: String
    package let proof: Proof?

    package init(service: ServiceIdentifier, user: String, proof: Proof?) {
        self.service = service
        self.user = user
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        user = try members.string("user", bytes: 1...Limits.userBytes)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("user", user)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let uri: SecretBytes

        package init(uri: SecretBytes) { self.uri = uri }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            uri = try members.secret("uri", bytes: 1...2 * Limits.codeURIBytes)
        }

        package func write(to writer: inout JSONWriter) { writer.member("uri", uri) }
    }
}

/// A code that came in, by mail or modem, for whoever shows a form of that site.
package struct CodeOffer: MethodCall {
    package static let method = Method.codeOffer
    package let service: ServiceIdentifier
    package let code: SecretBytes

    package init(service: ServiceIdentifier, code: SecretBytes) {
        self.service = service
        self.code = code
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        code = try members.secret("code", bytes: 1...Limits.codeBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("code", code)
    }

    package struct Answer: WireValue, Hashable {
        package let code: String
        package let expires: String

        package init(code: String, expires: String) {
            self.code = code
            self.expires = expires
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            code = try members.string("code", bytes: 1...64)
            expires = try members.string("expires", bytes: 1...64)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("code", code)
            writer.member("expires", expires)
        }
    }
}
