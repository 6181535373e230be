// SPDX-License-Identifier: Apache-2.0

/// Public knowledge about a site, from the files that `autofillctl quirks import` imported.
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
                optional: "changePassword", \.changePassword, .string(1...2048),
                "The URL at which the user changes the password."),
            appendsCode: try field(
                "appendsCode", \.appendsCode, .boolean,
                "Whether the site expects a one-time code directly after the password."),
            sharesCredentials: try field(
                "sharesCredentials", \.sharesCredentials, .strings(),
                "The domains that share their accounts with the site."))
    }
}
