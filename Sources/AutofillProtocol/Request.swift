// SPDX-License-Identifier: Apache-2.0

/// One line from a client, opened as far as its parameters. Valid only inside the closure of `JSONScanner.scan`.
package struct Request {
    /// nil for a notification.
    package let id: RequestID?
    package let method: Method
    /// nil when there are none.
    package let parameters: JSONValue?
    /// Whether a string of the line, read or not, has a U+0000.
    package let hasNUL: Bool

    /// A problem together with the id that its answer carries, when one could be read.
    package struct Failure: Error {
        package let id: RequestID?
        package let problem: ProtocolProblem

        package init(id: RequestID?, problem: ProtocolProblem) {
            self.id = id
            self.problem = problem
        }
    }

    /// Reads the envelope of JSON-RPC 2.0, section 4.
    package init(_ line: JSONValue) throws(Failure) {
        guard line.kind == .object else {
            throw Failure(id: nil, problem: ProtocolProblem(line.kind == .array ? .batchRefused : .notAnObject))
        }
        var version: JSONValue?
        var id: JSONValue?
        var method: JSONValue?
        var parameters: JSONValue?
        if let members = try? line.members() {
            for member in members {
                if member.name.matches("method") {
                    method = member.value
                } else if member.name.matches("id") {
                    id = member.value
                } else if member.name.matches("params") {
                    parameters = member.value
                } else if member.name.matches("jsonrpc") {
                    version = member.value
                }
            }
        }
        let requestID = id.flatMap { RequestID($0) }
        func failure(_ kind: ProtocolProblem.Kind) -> Failure {
            Failure(id: requestID, problem: ProtocolProblem(kind))
        }
        if id != nil, requestID == nil { throw failure(.idInvalid) }
        guard let version, version.matches("2.0") else { throw failure(.versionMissing) }
        guard let method, let named = Method(method) else {
            throw failure((try? method?.string(maximumBytes: 128)) == nil ? .methodMissing : .methodUnknown)
        }
        if requestID == nil, !named.isNotification { throw failure(.idMissing) }
        if let kind = parameters?.kind, kind != .object, kind != .null { throw failure(.parametersNotAnObject) }
        self.id = requestID
        self.method = named
        hasNUL = line.hasNUL
        // Like every other member, one that is null counts as absent.
        self.parameters = parameters?.kind == .null ? nil : parameters
    }
}

extension Method {
    /// The methods and the bytes of their names, by the lengths of these.
    private static let byLength = {
        let all = allCases.map { (method: $0, name: Array($0.rawValue.utf8)) }
        return (0...(all.map(\.name.count).max() ?? 0)).map { length in all.filter { $0.name.count == length } }
    }()

    /// The method of that name, byte for byte; nil for anything else.
    fileprivate init?(_ name: JSONValue) {
        guard name.kind == .string, case let text = name.text, case let count = text.unescapedCount,
            count < Self.byLength.count,
            let found = Self.byLength[count].first(where: { $0.name.withUnsafeBytes { text.equals($0) } })
        else { return nil }
        self = found.method
    }
}
