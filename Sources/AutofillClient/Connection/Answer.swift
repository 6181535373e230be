// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension MethodCall {
    /// Returns the result in a line that answers this call.
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
    /// - Parameter error: the `error` member of an answer: refused with reasons, or malformed.
    init(_ error: JSONValue) {
        do throws(ProtocolProblem) {
            var members = MemberReader(error)
            let code = try members.integer("code", in: -0x1F_FFFF_FFFF_FFFF...0x1F_FFFF_FFFF_FFFF)
            let reports: [ReasonReport] = try (members.value("data") as RefusalReport).reasons
            // The codes of JSON-RPC 2.0, section 5.1: the request itself is at fault.
            if let problem = reports.first, -32768 ... -32100 ~= code {
                self = .invalidRequest(
                    InvalidRequest(
                        problem: problem.reason, message: problem.message, member: problem.parameters["member"],
                        fix: problem.fix))
            } else {
                self = .refused(reports.map(AutofillReason.init))
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
