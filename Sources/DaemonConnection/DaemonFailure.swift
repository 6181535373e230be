// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Why a call of a front end has no answer.
package enum DaemonFailure: Error {
    /// The daemon's reasons, the first one first.
    case refused([ReasonReport])
    /// The connection ended before the answer: it is not known whether the call was executed.
    case lost
    /// No answer by the deadline.
    case notResponding
    /// The answer does not conform to the protocol of this build.
    case notUnderstood
    /// The task was cancelled, and with it the request.
    case cancelled

    package func isFor(_ reason: String) -> Bool {
        if case .refused(let reasons) = self { reasons.contains { $0.reason == reason } } else { false }
    }
}

extension MethodCall {
    /// Reads a line that answers this call.
    static func read(_ line: JSONValue) -> Result<Answer, DaemonFailure> {
        if let error = (try? line.member("error")) ?? nil {
            var members = MemberReader(error)
            let report: RefusalReport? = try? members.value("data")
            return .failure(report.map { .refused($0.reasons) } ?? .notUnderstood)
        }
        guard let result = (try? line.member("result")) ?? nil, result.kind == .object else {
            return .failure(.notUnderstood)
        }
        var members = MemberReader(result)
        return Result { () throws(ProtocolProblem) in try Answer(from: &members) }.mapError { _ in .notUnderstood }
    }
}
