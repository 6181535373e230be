// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeOffer: MethodCall {
    package static let declaration = MethodDeclaration(
        .codeOffer, "A code that came in, by mail or modem, for whoever shows a form of that site.", .own,
        app: .registered, repeatable: true)
    package let service: ServiceIdentifier
    package let code: SecretBytes

    package init(service: ServiceIdentifier, code: SecretBytes) {
        (self.service, self.code) = (service, code)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field("service", \.service, .object(), "The site that sent it."),
            code: try field("code", \.code, .secret(1...Limits.codeBytes), "The code as it came in."))
    }

    package struct Answer: Message, Hashable {
        package let code: String
        package let expires: String

        package init(code: String, expires: String) { (self.code, self.expires) = (code, expires) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                code: try field("oneTimeCode", \.code, .id, "What `autofill.suggest` will name it."),
                expires: try field("expires", \.expires, .instant, "Until then it can be filled."))
        }
    }
}
