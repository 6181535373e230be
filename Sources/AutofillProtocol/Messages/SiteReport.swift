// SPDX-License-Identifier: Apache-2.0

/// What is publicly known of a site, from the files that `autofillctl quirks import` took in.
package struct SiteReport: WireValue, Hashable {
    /// Where the person changes the password there.
    package let changePassword: String?
    /// Whether the site wants a one-time code right behind the password.
    package let appendsCode: Bool
    /// The domains whose accounts hold here too.
    package let sharesCredentials: [String]

    package init(changePassword: String?, appendsCode: Bool, sharesCredentials: [String]) {
        self.changePassword = changePassword
        self.appendsCode = appendsCode
        self.sharesCredentials = sharesCredentials
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        changePassword = try members.optionalString("changePassword", bytes: 1...2048)
        appendsCode = try members.bool("appendsCode")
        sharesCredentials = try members.strings("sharesCredentials")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("changePassword", orNull: changePassword)
        writer.member("appendsCode", appendsCode)
        writer.member("sharesCredentials", sharesCredentials)
    }
}
