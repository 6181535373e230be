// SPDX-License-Identifier: Apache-2.0

/// The limits that a client has to know. `admin.limit.list` has them all.
package struct ClientLimits: Message, Hashable {
    package let lineBytes: Int
    package let answerBytes: Int
    package let formFields: Int
    package let waitingRequests: Int
    package let passwordBytes: Int
    package let listLimit: Int

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let numbers = IntegerType(range: 1...Int.max)
        return Self(
            lineBytes: try field("lineBytes", \.lineBytes, numbers, "Bytes of a line, without its line feed."),
            answerBytes: try field("answerBytes", \.answerBytes, numbers, "Bytes of the longest answer."),
            formFields: try field("formFields", \.formFields, numbers, "Fields of a form."),
            waitingRequests: try field(
                "waitingRequests", \.waitingRequests, numbers, "Requests of one connection that may wait at a time."),
            passwordBytes: try field("passwordBytes", \.passwordBytes, numbers, "Bytes of a password."),
            listLimit: try field("listLimit", \.listLimit, numbers, "Elements of a page of a list."))
    }
}

extension ClientLimits {
    /// Those of this build.
    package init() {
        self.init(
            lineBytes: Limits.lineBytes, answerBytes: Limits.answerBytes, formFields: Limits.formFields,
            waitingRequests: Limits.waitingRequests, passwordBytes: Limits.passwordBytes, listLimit: Limits.listLimit)
    }
}
