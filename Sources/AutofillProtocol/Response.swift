// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// Writes the lines that the daemon sends, and the requests that a client sends.
extension JSONWriter {
    /// `{"jsonrpc":"2.0","id":…,"result":{…}}` and the line feed. One that is longer than a client accepts is refused.
    package mutating func answer(_ id: RequestID, _ result: some WireValue, warnings: [String] = []) {
        let start = count
        line(id) { writer in
            writer.key("result")
            writer.object { writer in
                result.write(to: &writer)
                if !warnings.isEmpty { writer.member("warnings", warnings) }
            }
        }
        guard count - start > Limits.answerBytes else { return }
        discard(from: start)
        refuse(id, [Refusal(.answerTooLong)])
    }

    /// The answer of a request that was refused, with every reason: error −32000, or −32800 if it was cancelled.
    package mutating func refuse(_ id: RequestID?, _ refusals: [Refusal]) {
        error(
            id, code: refusals.first?.reason == .cancelled ? Self.cancelledCode : Self.refusalCode,
            refusals.map(ReasonReport.init))
    }

    /// The code of a request that was refused, of those that JSON-RPC 2.0 leaves to servers.
    static var refusalCode: Int { -32000 }
    /// The code of a cancelled request, as in the Language Server Protocol.
    static var cancelledCode: Int { -32800 }

    /// The answer to a malformed message. Its id is null if none could be read.
    package mutating func reject(_ id: RequestID?, _ problem: ProtocolProblem) {
        error(id, code: problem.code, [ReasonReport(problem)])
    }

    /// A request: `{"jsonrpc":"2.0","id":…,"method":…,"params":{…}}` and the line feed.
    package mutating func request<Call: MethodCall>(
        _ id: RequestID, _ call: Call, in context: PageContext = PageContext()
    ) {
        line(id) { writer in
            writer.member("method", Call.method.rawValue)
            writer.key("params")
            writer.object { writer in
                call.write(to: &writer)
                if Call.acceptsContext, context != PageContext() { writer.member("context", context) }
            }
        }
    }

    private mutating func error(_ id: RequestID?, code: Int, _ reasons: [ReasonReport]) {
        line(id) { writer in
            writer.key("error")
            writer.object { writer in
                writer.member("code", code)
                writer.member("message", reasons.first?.reason ?? "refused")
                writer.member("data", RefusalReport(reasons: reasons))
            }
        }
    }

    private mutating func line(_ id: RequestID?, _ rest: (inout JSONWriter) -> Void) {
        raw(#"{"jsonrpc":"2.0","id""#)
        endName()
        if let id { id.write(to: &self) } else { null() }
        rest(&self)
        append(UInt8(ascii: "}"))
        endLine()
    }
}
