// SPDX-License-Identifier: Apache-2.0

/// What is publicly known of a site, from the files that `autofillctl quirks import` took in.
package struct SiteReport: Message, Hashable {
    package let changePassword: String?
    package let appendsCode: Bool
    package let sharesCredentials: [String]

    package init(changePassword: String?, appendsCode: Bool, sharesCredentials: [String]) {
        (self.changePassword, self.appendsCode) = (changePassword, appendsCode)
        self.sharesCredentials = sharesCredentials
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            changePassword: try field(
                nullable: "changePassword", \.changePassword, .string(1...2048),
                "Where the person changes the password there."),
            appendsCode: try field(
                "appendsCode", \.appendsCode, .boolean,
                "Whether the site wants a one-time code right behind the password."),
            sharesCredentials: try field(
                "sharesCredentials", \.sharesCredentials, .strings(), "The domains whose accounts hold here too."))
    }
}
