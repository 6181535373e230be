// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// A message of the extension: `{"id": 7, "method": "suggest", "origin": "https://example.com", "topOrigin": …, "document": …,
/// "params": {…}}`. The browser reports `origin` and `topOrigin` of the sender. `document` is its name for the document;
/// the answer contains it.
package struct ExtensionMessage: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case call(ExtensionMethod)
        /// Cancels a message that waits for its answer.
        case cancel(Int64)
    }

    package let id: Int64
    package let document: String?
    package let action: Action
    /// Whether it may be sent again if the answer was lost: false for codes, since some can be filled only once.
    package let isRepeatable: Bool

    /// The fault of a message, and its id if it has one.
    package struct Problem: Error, Hashable, Sendable {
        package let id: Int64?
        package let detail: String

        package init(id: Int64?, detail: String) { (self.id, self.detail) = (id, detail) }
    }

    private static let ids: ClosedRange<Int64> = 1...0x1F_FFFF_FFFF_FFFF
    private static let documentBytes = 128
    private static let originBytes = 2048

    /// Reads a message, and writes its request as a line with the id `number`; nothing for `cancel`.
    package static func read(
        _ value: JSONValue, as number: Int64, to writer: inout JSONWriter
    ) throws(Problem) -> ExtensionMessage {
        guard value.kind == .object, let id = try? value.member("id")?.integer(in: ids) else {
            throw Problem(id: nil, detail: "an object with an \"id\", an integer from 1 on")
        }
        do throws(JSONError) {
            var seen = Members(id: id)
            for member in try value.members() { try seen.add(member) }
            return try seen.write(number, to: &writer)
        } catch {
            throw Problem(id: id, detail: "a message of the extension of this version: \(error)")
        }
    }

    /// The members of a message.
    private struct Members {
        let id: Int64
        var method: JSONValue?
        var origin: JSONValue?
        var topOrigin: JSONValue?
        var document: JSONValue?
        var params: JSONValue?

        init(id: Int64) { self.id = id }

        mutating func add(_ member: JSONValue.Member) throws(JSONError) {
            if member.name.matches("method") {
                method = member.value
            } else if member.name.matches("origin") {
                origin = member.value
            } else if member.name.matches("topOrigin") {
                topOrigin = member.value
            } else if member.name.matches("document") {
                document = member.value
            } else if member.name.matches("params") {
                params = member.value
            } else if !member.name.matches("id") {
                throw JSONError(.notAllowed, at: member.name.offset)
            }
        }

        func write(_ number: Int64, to writer: inout JSONWriter) throws(JSONError) -> ExtensionMessage {
            let document = try document?.string(maximumBytes: ExtensionMessage.documentBytes)
            guard let method else { throw JSONError(.endedEarly, at: 0) }
            if method.matches("cancel") {
                guard let cancelled = try params?.member("id")?.integer(in: ExtensionMessage.ids) else {
                    throw JSONError(.endedEarly, at: method.offset)
                }
                return ExtensionMessage(id: id, document: document, action: .cancel(cancelled), isRepeatable: true)
            }
            let choice: ExtensionMethod = try method.choice()
            let names = try passed(by: choice)
            let start = writer.count
            do throws(JSONError) {
                try writer.object { writer throws(JSONError) in
                    writer.key("jsonrpc")
                    writer.string("2.0" as StaticString)
                    writer.key("id")
                    writer.integer(number)
                    writer.key("method")
                    writer.string(choice.name)
                    writer.key("params")
                    try writer.object { writer throws(JSONError) in
                        if choice.isOfSite {
                            try site(isNamed: !names.isDisjoint(with: choice.ids), to: &writer)
                        }
                        if let params {
                            for member in try params.members() {
                                writer.key(string: try member.name.string())
                                writer.raw(member.value.rawSlice)
                            }
                        }
                        if choice.needsPrompt {
                            writer.key("proof")
                            writer.object { writer in writer.member("type", "prompt") }
                        }
                    }
                }
            } catch {
                writer.discard(from: start)
                throw error
            }
            writer.endLine()
            return ExtensionMessage(
                id: id, document: document, action: .call(choice),
                isRepeatable: choice != .code && !names.contains("codeID"))
        }

        /// The names of the parameters; throws if the method does not pass one on.
        private func passed(by method: ExtensionMethod) throws(JSONError) -> Set<String> {
            var names: Set<String> = []
            guard let params else { return names }
            for member in try params.members() {
                guard method.parameters.contains(where: { member.name.matches($0) }) else {
                    throw JSONError(.notAllowed, at: member.name.offset)
                }
                names.insert(try member.name.string())
            }
            return names
        }

        /// The page's origin, as reported by the browser, and the origin of the page around it; the service that is meant
        /// unless an id names it.
        private func site(isNamed: Bool, to writer: inout JSONWriter) throws(JSONError) {
            guard let origin = try origin?.string(maximumBytes: ExtensionMessage.originBytes) else {
                throw JSONError(.endedEarly, at: 0)
            }
            let page = ServiceIdentifier(type: "origin", value: origin)
            let top = try topOrigin?.string(maximumBytes: ExtensionMessage.originBytes)
            if !isNamed { writer.member("service", page) }
            writer.member(
                "context",
                PageContext(
                    page: page, topOrigin: top.map { ServiceIdentifier(type: "origin", value: $0) }))
        }
    }
}
