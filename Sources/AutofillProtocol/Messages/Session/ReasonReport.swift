// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// A reason as it is in an answer.
package struct ReasonReport: Message, Hashable {
    package let reason: String
    package let message: String
    package let fix: String
    package let audience: String
    package let retry: String
    package let event: String?
    package let retryAfterMilliseconds: Int?
    package let parameters: [String: String]

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            reason: try field("reason", \.reason, .word(Words.reasons), "The code of the reason; never reused."),
            message: try field("message", \.message, .string(0...4096), "The problem in one line, for people."),
            fix: try field("fix", \.fix, .string(0...16384), "The fix: a command, or a change of the app."),
            audience: try field("audience", \.audience, .word(Words.audiences, 1...32), "Who can fix it."),
            retry: try field("retry", \.retry, .word(Words.retries, 1...32), "When the same request may succeed."),
            event: try field(
                optional: "event", \.event, .string(0...64), "The event after which the same request may succeed."),
            retryAfterMilliseconds: try field(
                optional: "retryAfterMilliseconds", \.retryAfterMilliseconds, .integer(0...Int.max),
                "How long to wait before the same request."),
            parameters: try field(
                optional: "parameters", \.parameters, ReasonParametersType(),
                "The values in the message and the fix: `app`, `domain`, `field` and others.") ?? [:])
    }
}

extension ReasonReport {
    package init(_ refusal: Refusal) {
        self.init(
            reason: refusal.reason.rawValue, message: refusal.reason.message, fix: refusal.fix,
            audience: refusal.audience.rawValue, retry: refusal.retry.rawValue,
            event: refusal.reason.event, retryAfterMilliseconds: refusal.retryAfterMilliseconds.map(Int.init),
            parameters: Dictionary(
                uniqueKeysWithValues: refusal.parameters.map { ($0.key.rawValue, $0.value) }))
    }
}

/// The parameters of a reason, in the order of `Refusal.Parameter`.
struct ReasonParametersType: WireType {
    var schema: ValueSchema {
        .map(of: .string(bytes: 0...Limits.lineBytes), names: Refusal.Parameter.allCases.map(\.rawValue))
    }
    var sample: [String: String] { [:] }

    func read(
        _ value: JSONValue, _ name: StaticString, of members: inout MemberReader
    ) throws(ProtocolProblem) -> [String: String] {
        guard value.kind == .object else { throw members.invalid(name, "an object") }
        var parameters: [String: String] = [:]
        do throws(JSONError) {
            for member in try value.members() { parameters[try member.name.string()] = try member.value.string() }
        } catch {
            throw members.invalid(name, "an object of strings")
        }
        return parameters
    }

    func write(_ parameters: [String: String], to writer: inout JSONWriter) {
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
        case .app: "bundleID"
        case .domain: "domain"
        case .site: "site"
        case .field: "field"
        case .path: "path"
        case .settings: "settings"
        case .detail: "detail"
        case .limit: "limit"
        case .group: "accessGroup"
        case .member: "member"
        }
    }
}
