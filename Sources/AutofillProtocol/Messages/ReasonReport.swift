// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// A reason as it stands in an answer.
package struct ReasonReport: WireValue, Hashable {
    package let reason: String
    package let message: String
    package let fix: String
    package let audience: String
    package let retry: String
    package let event: String?
    package let retryAfterMilliseconds: Int?
    package let parameters: [String: String]

    package init(_ refusal: Refusal) {
        reason = refusal.reason.rawValue
        message = refusal.reason.message
        fix = refusal.fix
        audience = refusal.reason.audience.rawValue
        retry = refusal.reason.retry.rawValue
        event = refusal.reason.event
        retryAfterMilliseconds = refusal.retryAfterMilliseconds.map(Int.init)
        parameters = Dictionary(uniqueKeysWithValues: refusal.parameters.map { ($0.key.rawValue, $0.value) })
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        reason = try members.string("reason", bytes: 1...64)
        message = try members.string("message", bytes: 0...4096)
        fix = try members.string("fix", bytes: 0...16384)
        audience = try members.string("audience", bytes: 1...32)
        retry = try members.string("retry", bytes: 1...32)
        event = try members.optionalString("event", bytes: 0...64)
        retryAfterMilliseconds = try members.optionalInteger("retryAfterMilliseconds", in: 0...Int.max)
        var parameters: [String: String] = [:]
        if let object = try members.optionalObject("parameters") {
            for (name, value) in try object.allStrings() { parameters[name] = value }
        }
        self.parameters = parameters
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("reason", reason)
        writer.member("message", message)
        writer.member("fix", fix)
        writer.member("audience", audience)
        writer.member("retry", retry)
        if let event { writer.member("event", event) }
        if let retryAfterMilliseconds { writer.member("retryAfterMilliseconds", retryAfterMilliseconds) }
        writer.key("parameters")
        writer.object { writer in
            for parameter in Refusal.Parameter.allCases {
                if let value = parameters[parameter.rawValue] { writer.member(parameter.member, value) }
            }
        }
    }
}

extension Refusal.Parameter {
    /// The raw value, as a literal.
    fileprivate var member: StaticString {
        switch self {
        case .app: "app"
        case .domain: "domain"
        case .site: "site"
        case .field: "field"
        case .path: "path"
        case .settings: "settings"
        case .detail: "detail"
        case .limit: "limit"
        case .group: "group"
        }
    }
}
