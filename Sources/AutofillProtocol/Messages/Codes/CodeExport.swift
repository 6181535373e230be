// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeExport: ProvableCall {
    package static let declaration = MethodDeclaration(
        .codeExport, "Returns the secret of one-time codes as it was set, for export.", .administer, vault: .open,
        proof: .needed, repeatable: true)
    package let name: CredentialName
    package let proof: Proof?

    package init(_ name: CredentialName, proof: Proof?) { (self.name, self.proof) = (name, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(try field(\.name), proof: try field.proof(\.proof))
        try call.name.ruleWithUser(&field)
        return call
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
