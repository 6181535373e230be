// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

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
