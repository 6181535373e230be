// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeExport: ProvableCall {
    package static let declaration = MethodDeclaration(
        .codeExport, "Returns the secret of one-time codes as it was set, for export.", .administer, vault: .open,
        proof: .needed, repeatable: true)
    package let service: ServiceIdentifier
    package let user: String
    package let proof: Proof?

    package init(service: ServiceIdentifier, user: String, proof: Proof?) {
        (self.service, self.user, self.proof) = (service, user, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service),
            user: try field("user", \.user, .string(1...Limits.userBytes), "The user name."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message {
        package let uri: SecretBytes

        package init(uri: SecretBytes) { self.uri = uri }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                uri: try field(
                    "uri", \.uri, .secret(1...2 * Limits.codeURIBytes),
                    "`otpauth://…`, with all parameters; a counter is the one of the next code."))
        }
    }
}
