// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension MethodCall {
    /// The result in a line that answers this call.
    static func answer(in line: JSONValue) throws(AutofillError) -> Answer {
        if let error = (try? line.member("error")) ?? nil { throw AutofillError(error) }
        guard let result = (try? line.member("result")) ?? nil, result.kind == .object else {
            throw .answerNotUnderstood("an answer without result")
        }
        var members = MemberReader(result)
        do throws(ProtocolProblem) {
            return try Answer(from: &members)
        } catch {
            throw .answerNotUnderstood(
                "\(method.rawValue): \(error.member ?? "result") is not \(error.detail ?? "right")")
        }
    }
}

extension AutofillError {
    /// What the `error` member of an answer says: refused with reasons, or not well formed.
    init(_ error: JSONValue) {
        do throws(ProtocolProblem) {
            var members = MemberReader(error)
            var data = try members.object("data")
            if let reports: [ReasonReport] = try data.optionalValues("reasons"), !reports.isEmpty {
                self = .refused(reports.map(AutofillReason.init))
            } else {
                self = .invalidRequest(
                    InvalidRequest(
                        problem: try data.string("problem", bytes: 1...64),
                        message: try members.string("message", bytes: 0...4096),
                        member: try data.optionalString("member", bytes: 0...4096),
                        fix: try data.string("fix", bytes: 0...16384)))
            }
        } catch {
            self = .answerNotUnderstood("an error without its data")
        }
    }

    init(_ problem: ProtocolProblem) {
        self = .invalidRequest(
            InvalidRequest(
                problem: problem.kind.rawValue, message: problem.message, member: problem.member, fix: problem.fix))
    }
}
