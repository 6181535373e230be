// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Why a call of a front end has no answer.
package enum DaemonFailure: Error {
    /// The daemon's reasons, the first one first.
    case refused([ReasonReport])
    /// The connection ended before the answer: whether the call was done is not known.
    case lost
    /// No answer by the deadline.
    case notResponding
    /// The answer is not as this build's protocol has it.
    case notUnderstood
    /// The task that waited was cancelled, and the request was taken back.
    case cancelled

    package func isFor(_ reason: String) -> Bool {
        if case .refused(let reasons) = self { reasons.contains { $0.reason == reason } } else { false }
    }
}

extension MethodCall {
    /// What a line that answers this call says.
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
        do throws(ProtocolProblem) { return .success(try Answer(from: &members)) } catch {
            return .failure(.notUnderstood)
        }
    }
}
