// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// Requests as lines, without their line feeds.
enum Line {
    /// Sends hello; its id is 1.
    static func hello(_ app: String = "org.example.Shop") -> String {
        line(1, "hello", #"{"bundleID":"\#(app)","protocol":{"min":1,"max":1}}"#)
    }

    /// Is answered at once, in some 50 bytes.
    static func quick(_ id: Int) -> String { line(id, "request.cancel", #"{"id":0}"#) }

    /// Waits for the user, who must allow the app.
    static func password(_ id: Int) -> String {
        line(id, "credential.get", #"{"service":{"type":"domain","value":"shop.example.com"}}"#)
    }

    /// Keeps something of the app's own.
    static func item(_ id: Int, _ account: String, bytes: Int = 8) -> String {
        let data = Data(repeating: 1, count: bytes).base64EncodedString()
        return line(
            id, "keychain.set", #"{"place":{"namespace":"notes","account":"\#(account)"},"data":{"base64":"\#(data)"}}"#
        )
    }

    /// Gets what `item` kept, and puts that on record.
    static func read(_ id: Int, _ account: String) -> String {
        line(id, "keychain.get", #"{"place":{"namespace":"notes","account":"\#(account)"}}"#)
    }

    /// Works on the whole vault, which no other request can use meanwhile.
    static func check(_ id: Int) -> String {
        line(
            id, "admin.vault.check",
            #"{"proof":{"type":"key","key":{"base64":"\#(TestFiles.key.base64EncodedString())"}}}"#)
    }

    /// Is answered when its log is written back, where that is long.
    static func lock(_ id: Int) -> String { line(id, "admin.vault.lock", "{}") }

    static func subscribe(_ id: Int) -> String { line(id, "event.subscribe", "{}") }

    private static func line(_ id: Int, _ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
    }
}

extension [String] {
    /// As they are sent.
    var lines: String { map { $0 + "\n" }.joined() }
}
