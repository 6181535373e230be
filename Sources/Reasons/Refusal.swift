// SPDX-License-Identifier: Apache-2.0

/// A reason with the names that its fix contains. It never holds a secret or a user name.
package struct Refusal: Error, Hashable, Sendable {
    /// A name in a fix or in the evidence. The raw value is the member in `parameters` on the wire.
    package enum Parameter: String, CaseIterable, Sendable {
        case app = "bundleID"
        case domain, site, field, path, settings, detail, limit
        case group = "accessGroup"
        case member
    }

    package let reason: Reason
    package let parameters: [Parameter: String]
    /// For `afterDelay`: when to try again, if known.
    package let retryAfterMilliseconds: Int64?

    package init(_ reason: Reason, _ parameters: [Parameter: String] = [:], retryAfterMilliseconds: Int64? = nil) {
        self.reason = reason
        self.parameters = parameters
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// The fix, with its parameters substituted.
    package var fix: String {
        if parameters[.detail] == nil, let fix = reason.fixWithoutCause { return fix }
        var template =
            parameters[.limit].flatMap { _ in reason.fixNamingLimit }
            ?? parameters[.path].flatMap { _ in reason.fixNamingPath }
        if template == nil, parameters[.path] != nil {
            template = reason.fixNamingProgram(isOwn: parameters[.domain] == parameters[.app])
        }
        var (text, rest, isInCommand) = ("", (template ?? reason.fixTemplate).utf8[...], false)
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = String(Substring(rest[rest.index(after: open)..<close]))
            let literal = Substring(rest[..<open])
            isInCommand = Self.isCommand(literal, after: isInCommand)
            text += literal
            let value = Parameter(rawValue: name).flatMap { parameters[$0] }
            text += (isInCommand ? value?.shellQuoted : value) ?? Parameter(rawValue: name)?.placeholder ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return text + Substring(rest)
    }

    /// Whether what follows a literal of the template is an argument of a command, which users paste into a shell.
    private static func isCommand(_ literal: Substring, after wasCommand: Bool) -> Bool {
        let clauses = literal.split(separator: ". ", omittingEmptySubsequences: false)
        guard let last = clauses.last else { return wasCommand }
        return last.contains("autofillctl ") || (wasCommand && clauses.count == 1)
    }

    /// When the same request may succeed. After an inspection that timed out it can be repeated unchanged.
    package var retry: Reason.Retry { isLate ? .afterDelay : reason.retry }

    /// Who can fix it. An inspection that timed out is not the developer's to fix.
    package var audience: Reason.Audience { isLate ? .user : reason.audience }

    private var isLate: Bool { parameters[.limit] != nil && reason.fixNamingLimit != nil }

    /// The journal's message when a strong password cannot be offered: Apple's, to the letter.
    package static func journalLine(_ reason: Reason, app: String) -> String {
        "[AutoFill] Cannot show Automatic Strong Passwords for app bundleID: \(app) due to error: \(reason.message)"
    }
}

extension Refusal.Parameter {
    /// The text for a parameter without a value, also used in protocol.md.
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
