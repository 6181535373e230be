// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// The messages of the host to the extension.
extension JSONWriter {
    /// `{"id": 7, "document": …, "result": {…}}`, or with `error`: `message` and the daemon's `reasons`, as they are.
    package mutating func answer(_ message: ExtensionMessage, from line: JSONValue) {
        object { writer in
            writer.head(message.id, message.document)
            if let result = (try? line.member("result")) ?? nil {
                writer.key("result")
                writer.raw(result.rawSlice)
            } else {
                let error = (try? line.member("error")) ?? nil
                let reasons = ((try? error?.member("data")) ?? nil).flatMap { (try? $0.member("reasons")) ?? nil }
                let text = (try? error?.member("message")) ?? nil
                writer.key("error")
                writer.object { writer in
                    writer.key("message")
                    if let text { writer.raw(text.rawSlice) } else { writer.string("Refused" as StaticString) }
                    writer.key("reasons")
                    if let reasons { writer.raw(reasons.rawSlice) } else { writer.array { _ in } }
                }
            }
        }
    }

    /// `{"event": {…}}`: an event of the daemon.
    package mutating func event(_ parameters: JSONValue) {
        object { writer in
            writer.key("event")
            writer.raw(parameters.rawSlice)
        }
    }

    /// `{"connected": {…}}`: the answer to `hello`, at each new connection to the daemon.
    package mutating func connected(_ greeting: Hello.Answer) {
        object { $0.member("connected", greeting) }
    }

    /// The answer to a message that the host refuses itself, in the form of the daemon's answers.
    package mutating func refuse(_ id: Int64?, _ document: String?, _ refusal: HostRefusal) {
        object { writer in
            writer.head(id, document)
            writer.key("error")
            writer.object { writer in
                writer.key("message")
                writer.string(refusal.message)
                writer.key("reasons")
                writer.array { writer in
                    writer.object { writer in
                        for (name, value) in refusal.members {
                            writer.key(name)
                            writer.string(value)
                        }
                    }
                }
            }
        }
    }

    private mutating func head(_ id: Int64?, _ document: String?) {
        key("id")
        if let id { integer(id) } else { null() }
        if let document {
            key("document")
            string(document)
        }
    }

    /// The written bytes as one line: a line feed in a message can only be white space between tokens, and becomes a space.
    package consuming func lines() -> [UInt8] {
        var bytes = withUnsafeBytes { Array($0) }
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "\n") {
            bytes[index] = UInt8(ascii: " ")
        }
        discard(from: 0)
        return bytes
    }
}

/// Why the host does not return an answer of the daemon.
package struct HostRefusal: Error, Hashable, Sendable {
    package let reason: String
    package let message: String
    package let fix: String
    let audience: String
    let retry: String

    var members: [(StaticString, String)] {
        [("reason", reason), ("message", message), ("fix", fix), ("audience", audience), ("retry", retry)]
    }

    /// The daemon is not available, by the reasons of the clients.
    package static func unavailable(_ reason: String, _ message: String, fix: String) -> HostRefusal {
        HostRefusal(reason: reason, message: message, fix: fix, audience: "user", retry: "afterChange")
    }

    /// The daemon ended, and whether it performed the request is unknown.
    package static var connectionLost: HostRefusal {
        HostRefusal(
            reason: "connectionLost", message: "autofilld ended before it answered",
            fix: "See what was done before you try again", audience: "user", retry: "now")
    }

    package static func malformed(_ detail: String) -> HostRefusal {
        HostRefusal(
            reason: "message-not-taken", message: "The message is malformed", fix: "Send \(detail)",
            audience: "developer", retry: "never")
    }

    /// A message is longer than a browser, or the daemon, accepts.
    package static func tooLong(limit: Int = NativeFraming.maximumLength) -> HostRefusal {
        HostRefusal(
            reason: "message-too-long", message: "The message is too long", fix: "Ask for less: \(limit) bytes at most",
            audience: "developer", retry: "never")
    }
}
