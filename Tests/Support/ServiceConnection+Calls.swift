// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import AutofillService

/// Calls as values: what most tests of the service send, and what they receive.
extension ServiceConnection {
    /// A refusal with every reason.
    package struct Refused: Error, CustomStringConvertible {
        package let reasons: [ReasonReport]
        package var description: String { reasons.map { "\($0.reason): \($0.fix)" }.joined(separator: "; ") }
    }

    /// Nothing came yet.
    package struct Unanswered: Error {
        let method: Method
    }

    /// Sends a call; its answer.
    ///
    /// - Throws: `Refused`, or `Unanswered` where it waits.
    @discardableResult
    package func answer<Call: MethodCall>(
        to call: Call, in context: PageContext = PageContext()
    ) throws -> Call.Answer { try send(call, in: context).answer() }

    /// The reasons why a call is refused, by their names; none where it is not.
    package func reasons(for call: some MethodCall, in context: PageContext = PageContext()) throws -> [String] {
        try refusal(of: call, in: context)?.reasons.map(\.reason) ?? []
    }

    /// The refusal of a call; nil where it is done.
    package func refusal(of call: some MethodCall, in context: PageContext = PageContext()) throws -> Refused? {
        try send(call, in: context).refusal()
    }

    /// Sends a call whose answer may have to wait.
    package func send<Call: MethodCall>(
        _ call: Call, in context: PageContext = PageContext()
    ) throws -> SentCall<Call> {
        let (sent, line) = prepare(call, in: context)
        try owner.send(line, client)
        return sent
    }

    /// Sends a call and a descriptor.
    package func send<Call: MethodCall>(_ call: Call, with descriptor: Int32?) throws -> SentCall<Call> {
        let (sent, line) = prepare(call)
        try owner.send(line, client, descriptor)
        return sent
    }

    /// A call and its line, for a test that hands it to the engine itself.
    package func prepare<Call: MethodCall>(
        _ call: Call, in context: PageContext = PageContext()
    ) -> (sent: SentCall<Call>, line: [UInt8]) {
        let sent = SentCall<Call>(connection: self, id: owner.nextID())
        return (sent, sent.line(call, in: context))
    }

    /// Cancels a call that waits.
    package func cancel(_ sent: SentCall<some MethodCall>) throws {
        _ = try send(RequestCancel(id: .number(sent.id)))
    }

    /// The events that came since the last read.
    package func events() throws -> [EventNotice] {
        try owner.takeLines(of: client) { $0.contains(#""method":"event""#) }.map { line in
            try readLine(line) { members throws(ProtocolProblem) in try members.value("params") }
        }
    }

    /// Sends hello as an app.
    @discardableResult
    package func greet(as bundleID: String = "org.example.Shop") throws -> Hello.Answer {
        try answer(to: Hello(bundleID: bundleID))
    }
}

/// A call that was sent.
package struct SentCall<Call: MethodCall> {
    let connection: ServiceConnection
    package let id: Int64

    /// Its answer, once it came. May be asked for once.
    @discardableResult
    package func answer() throws -> Call.Answer {
        switch try outcome() {
        case .success(let answer): return answer
        case .failure(let refused): throw refused
        }
    }

    /// The reasons of its refusal, by their names; none where it was done. May be asked for once.
    package func reasons() throws -> [String] { try refusal()?.reasons.map(\.reason) ?? [] }

    /// Its refusal; nil where it was done. May be asked for once.
    package func refusal() throws -> ServiceConnection.Refused? {
        if case .failure(let refused) = try outcome() { refused } else { nil }
    }

    /// Whether it still waits.
    package var waits: Bool { !connection.owner.hasLine(for: connection.client, isAnswer) }

    /// The outcome. May be read once.
    package func outcome() throws -> Result<Call.Answer, ServiceConnection.Refused> {
        guard let line = connection.owner.takeLines(of: connection.client, isAnswer).first else {
            throw ServiceConnection.Unanswered(method: Call.method)
        }
        return try readLine(line) { members throws(ProtocolProblem) in
            if let answer: Call.Answer = try members.optionalValue("result") { return .success(answer) }
            guard var error = try members.optionalObject("error") else { throw members.missing("error", "an object") }
            let report: RefusalReport = try error.value("data")
            return .failure(.init(reasons: report.reasons))
        }
    }

    func line(_ call: Call, in context: PageContext) -> [UInt8] {
        var writer = JSONWriter()
        writer.request(.number(id), call, in: context)
        return writer.withUnsafeBytes { Array($0.dropLast()) }
    }

    private func isAnswer(_ line: String) -> Bool { line.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"#) }
}

/// Reads the members of a line.
private func readLine<Value>(
    _ line: String, _ read: (inout MemberReader) throws(ProtocolProblem) -> Value
) throws -> Value {
    var scanner = JSONScanner()
    var bytes = Array(line.utf8)
    let result: Result<Value, ProtocolProblem> = try bytes.withUnsafeMutableBytes { bytes in
        try scanner.scan(UnsafeRawBufferPointer(bytes)) { value throws(JSONError) in
            var members = MemberReader(value)
            do throws(ProtocolProblem) { return .success(try read(&members)) } catch { return .failure(error) }
        }
    }
    return try result.get()
}
