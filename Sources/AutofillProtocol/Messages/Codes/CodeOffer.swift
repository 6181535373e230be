// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeOffer: MethodCall {
    package static let declaration = MethodDeclaration(
        .codeOffer,
        "Hands over a code that was received, by mail or modem, for any app that shows a form of that site.", .own,
        app: .registered, repeatable: true)
    package let service: ServiceIdentifier
    package let code: SecretBytes

    package init(service: ServiceIdentifier, code: SecretBytes) {
        (self.service, self.code) = (service, code)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field("service", \.service, .object(), "The site that sent it."),
            code: try field("code", \.code, .secret(1...Limits.codeBytes), "The code as it was received."))
    }

    package struct Answer: Message, Hashable {
        package let code: String
        package let expires: String

        package init(code: String, expires: String) { (self.code, self.expires) = (code, expires) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                code: try field("codeID", \.code, .id, "Its id in `autofill.suggest`."),
                expires: try field("expires", \.expires, .instant, "The end of the time in which it can be filled."))
        }
    }
}
