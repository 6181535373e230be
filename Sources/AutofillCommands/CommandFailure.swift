// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
package import AutofillClient
import AutofillProtocol
import ConfigurationFiles
import Reasons

/// Why a command failed: all problems, each with its fix.
package struct CommandFailure: Error, Hashable, Sendable {
    package struct Problem: Hashable, Sendable {
        /// The reason's code, or the code of the service's absence; nil for a problem that only autofillctl reports.
        package let code: String?
        package let message: String
        package let fix: String?
    }

    package let status: ExitStatus
    package let problems: [Problem]

    init(_ status: ExitStatus, _ problems: [Problem]) {
        self.status = status
        self.problems = problems
    }

    init(_ status: ExitStatus, _ message: String, fix: String? = nil) {
        self.init(status, [Problem(code: nil, message: message, fix: fix)])
    }

    /// The refusal that the service would return, before the user is asked for anything.
    init(_ refusal: Refusal) {
        self.init(.refused, [Problem(code: refusal.reason.rawValue, message: refusal.reason.message, fix: refusal.fix)])
    }

    init(_ problem: ConfigurationFileProblem) {
        self.init(
            problem.isMissing ? .noInput : .badData,
            problem.mistakes.map { mistake in
                let location = mistake.path.isEmpty ? problem.file : "\(problem.file): \(mistake.path)"
                return Problem(code: nil, message: "\(location): \(mistake.reason)", fix: mistake.fix)
            })
    }

    package init(_ error: AutofillError) {
        switch error {
        case .unavailable(let why):
            self.init(.unavailable, [Problem(code: why.rawValue, message: why.message, fix: why.fix)])
        case .refused(let reasons):
            self.init(
                Self.status(for: reasons),
                reasons.map { Problem(code: $0.code.rawValue, message: $0.message, fix: $0.fix) })
        case .invalidRequest(let request):
            self.init(.usage, [Problem(request)])
        case .connectionLost:
            self.init(
                .unavailable, "autofilld ended before it answered", fix: "Check what was done before you try again")
        case .answerNotUnderstood(let text):
            self.init(
                .fault, "The answer of autofilld is not valid: \(text)",
                fix: "Install the same version of autofilld and autofillctl")
        case .cancelled:
            self.init(.interrupted, "Interrupted")
        }
    }

    /// The same failure with one more problem.
    func adding(_ message: String, fix: String? = nil) -> CommandFailure {
        CommandFailure(status, problems + [Problem(code: nil, message: message, fix: fix)])
    }

    /// The same failure; if it has this reason, with a fix that names more.
    func fixing(_ reason: Reason, _ fix: String) -> CommandFailure {
        CommandFailure(
            status,
            problems.map { $0.code == reason.rawValue ? .init(code: $0.code, message: $0.message, fix: fix) : $0 })
    }

    /// Whether the service has stated that it did nothing. After any other failure it may have performed the request.
    var provesNothingWasDone: Bool {
        guard case .refused = status else { return false }
        return problems.contains { problem in
            switch problem.code.flatMap({ Reason(rawValue: $0) }) {
            case .proofRequired, .proofWrong, .proofTooSoon, .recoveryKeyMistyped, .passphraseTooShort,
                .passphraseTooCommon, .slotNotFound, .slotLast, .vaultLocked, .vaultMissing, .vaultExists, .vaultBusy,
                .vaultCorrupt, .vaultOlder, .keyDerivationBusy,
                .tooManyRequests, .notPermitted, .cancelled:
                true
            default: false
            }
        }
    }

    private static func status(for reasons: [AutofillReason]) -> ExitStatus {
        switch reasons.first.flatMap({ Reason(rawValue: $0.code.rawValue) }) {
        case .credentialNotFound, .offerNotFound, .codeNotFound, .itemNotFound, .verifierNotFound: .notFound
        case .internalFault: .fault
        default: .refused
        }
    }
}

extension CommandFailure {
    /// Lines for users, of at most so many columns; unlimited for nil.
    func lines(_ console: Console, within width: Int?) -> [String] {
        problems.flatMap { problem in
            let code = problem.code.map { " (\($0))" } ?? ""
            let message = problem.message.hasSuffix(".") ? String(problem.message.dropLast()) : problem.message
            return console.hanging("", "autofillctl: \(message)\(code)", indent: 4, within: width)
                + (problem.fix.map { console.hanging("  Fix: ", $0, within: width) } ?? [])
        }
    }

    /// `{"error": {"status": 1, "problems": [{"code": …, "message": …, "fix": …}]}}`
    func write(to writer: inout JSONWriter) {
        writer.key("error")
        writer.object { writer in
            writer.member("status", Int64(status.rawValue))
            writer.key("problems")
            writer.array { writer in
                for problem in problems {
                    writer.object { writer in
                        writer.member("code", orNull: problem.code)
                        writer.member("message", problem.message)
                        writer.member("fix", orNull: problem.fix)
                    }
                }
            }
        }
    }
}

extension CommandFailure.Problem {
    /// What the service reports about a parameter, in terms of the command line.
    fileprivate init(_ request: AutofillError.InvalidRequest) {
        var (message, fix) = (request.message, request.fix)
        if let member = request.member {
            let (nameless, sent) = ("A parameter", "Send \"\(member)\" as ")
            message = message.hasPrefix(nameless) ? member + message.dropFirst(nameless.count) : "\(member): \(message)"
            if fix.hasPrefix(sent) { fix = "Give " + fix.dropFirst(sent.count) }
            fix = fix.replacing(Method.grantList.rawValue, with: "autofillctl grant list")
        }
        self.init(code: request.problem, message: message, fix: fix)
    }
}
