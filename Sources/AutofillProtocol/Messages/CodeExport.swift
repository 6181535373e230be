// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

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
