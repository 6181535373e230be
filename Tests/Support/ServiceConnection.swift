// SPDX-License-Identifier: Apache-2.0
package import AutofillService
import Foundation

/// One connection to a `TestService`. All that comes over it is held against the published schema.
package struct ServiceConnection {
    let owner: TestService
    package let client: SessionID

    init(_ owner: TestService, _ client: SessionID) {
        self.owner = owner
        self.client = client
    }

    /// Sends a line and returns the lines that are sent until the service has nothing left to do.
    package func exchange(_ line: String) throws -> [String] { try owner.exchange(Array(line.utf8), client) }

    /// The same for bytes that need not be text.
    package func exchange(bytes line: some Sequence<UInt8>) throws -> [String] {
        try owner.exchange(Array(line), client)
    }

    /// What came without asking since the last read.
    package func received() -> [String] { owner.take(client) }

    /// A request as its line.
    package static func line(_ method: String, _ parameters: [String: Any] = [:], id: Int = 1) throws -> String {
        let request: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": method, "params": parameters]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: request, options: [.withoutEscapingSlashes]),
            as: UTF8.self)
    }

    /// Calls a method; the answer as Foundation reads it.
    @discardableResult
    package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> TestAnswer {
        try TestAnswer(try exchange(try Self.line(method, parameters)).first ?? "")
    }

    /// Sends a request whose answer may have to wait; what was answered at once.
    package func send(_ method: String, _ parameters: [String: Any] = [:], id: Int = 1) throws -> [TestAnswer] {
        try exchange(try Self.line(method, parameters, id: id)).map(TestAnswer.init)
    }

    /// What was answered since the last read.
    package func answers() throws -> [TestAnswer] { try received().map(TestAnswer.init) }

    /// Sends hello as an app.
    @discardableResult
    package func hello(_ bundleID: String = "org.example.Shop") throws -> TestAnswer {
        try call("hello", ["bundleID": bundleID, "protocol": ["min": 1, "max": 1]])
    }

    /// The connection ends.
    package func disconnect() throws { try owner.onEngine { [client] in $0.disconnect(client) } }
}
