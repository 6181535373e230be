// SPDX-License-Identifier: Apache-2.0

/// One reason in one case: with the names that its fix speaks of. It never holds a secret or a user name.
package struct Refusal: Error, Hashable, Sendable {
    /// What a fix or the evidence can name. The raw value is the member in `parameters` on the wire.
    package enum Parameter: String, CaseIterable, Sendable {
        case app, domain, site, field, path, settings, detail, limit, group, member
    }

    package let reason: Reason
    package let parameters: [Parameter: String]
    /// For `afterDelay`: when to try again, when that is known.
    package let retryAfterMilliseconds: Int64?

    package init(_ reason: Reason, _ parameters: [Parameter: String] = [:], retryAfterMilliseconds: Int64? = nil) {
        self.reason = reason
        self.parameters = parameters
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// What mends it, with the names put in.
    package var fix: String {
        if parameters[.detail] == nil, let fix = reason.fixWithoutCause { return fix }
        let template =
            parameters[.limit].flatMap { _ in reason.fixNamingLimit }
            ?? parameters[.path].flatMap { _ in reason.fixNamingPath }
        var (text, rest) = ("", (template ?? reason.fixTemplate).utf8[...])
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = String(Substring(rest[rest.index(after: open)..<close]))
            text += Substring(rest[..<open])
            text += Parameter(rawValue: name).map { parameters[$0] ?? $0.placeholder } ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return text + Substring(rest)
    }

    /// When the same request may succeed: what could not be looked at in time may be asked for again as it is.
    package var retry: Reason.Retry { isLate ? .afterDelay : reason.retry }

    /// Who can mend it: of what could not be looked at in time no developer can.
    package var audience: Reason.Audience { isLate ? .user : reason.audience }

    private var isLate: Bool { parameters[.limit] != nil && reason.fixNamingLimit != nil }

    /// The journal's line when it keeps a strong password from being offered: Apple's, to the letter.
    package static func journalLine(_ reason: Reason, app: String) -> String {
        "[AutoFill] Cannot show Automatic Strong Passwords for app bundleID: \(app) due to error: \(reason.message)"
    }
}

extension Refusal.Parameter {
    /// What stands in a fix where the name is not known, and in protocol.md.
    package var placeholder: String {
        switch self {
        case .app: "BUNDLE-ID"
        case .domain: "DOMAIN"
        case .site: "DOMAIN"
        case .field: "FIELD"
        case .path: "FILE"
        case .settings: "the settings file"
        case .detail: "DETAIL"
        case .limit: "LIMIT"
        case .group: "GROUP"
        case .member: "MEMBER"
        }
    }
}
