// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import SecretMemory

/// `cargo-credential-autofill --cargo-plugin`, as the Cargo Book's "Credential Provider Protocol" has it: it says which versions it
/// speaks, then each line of standard input is a request, and gets one line. A token is kept for the registry's index URL, byte for
/// byte.
package struct CargoHelper: Sendable {
    /// The only version there is.
    private static let version: Int64 = 1
    /// Registries know of no user; this is what the token is kept for.
    package static let user = "token"

    private enum Kind: Sendable { case get, login, logout }
    private var kind = Kind.get
    private var place = ""

    /// - Throws: where it is not cargo that starts it.
    package init(arguments: some Collection<String>) throws(HelperTrouble) {
        guard arguments.first == "--cargo-plugin" else {
            throw HelperTrouble(
                "cargo-credential-autofill is run by cargo; autofillctl helper install cargo has it do that")
        }
    }

    /// The first line, before anything is read.
    package static var hello: SecretBytes {
        line { writer in
            writer.key("v")
            writer.array { $0.integer(version) }
        }
    }

    /// - Parameter line: a request, with or without its line feed.
    package mutating func start(_ line: UnsafeRawBufferPointer) -> HelperAction {
        var scanner = JSONScanner(maximumDepth: 16)
        do throws(JSONError) {
            let read = try scanner.scan(line) { value throws(JSONError) in try Self.read(value) }
            guard let request = read else { return Self.failure("operation-not-supported") }
            (kind, place) = (request.kind, request.place)
            return request.action
        } catch {
            return Self.failure("other", "The request was not understood")
        }
    }

    private struct Request {
        let kind: Kind
        let place: String
        let action: HelperAction
    }

    /// - Returns: nil for a kind or an operation that is not known.
    private static func read(_ value: JSONValue) throws(JSONError) -> Request? {
        guard try value.member("v")?.integer() == version else {
            return Request(kind: .get, place: "", action: failure("other", "Only version 1 is spoken"))
        }
        let registry = try value.member("registry")
        guard let place = try registry?.member("index-url")?.string(), !place.isEmpty else {
            return Request(kind: .get, place: "", action: failure("url-not-supported"))
        }
        guard place.utf8.count <= 2048 else {
            return Request(kind: .get, place: place, action: failure("url-not-supported", "Its address is too long"))
        }
        guard let kind = try value.member("kind") else { return nil }
        if kind.matches("get") {
            guard let operation = try value.member("operation"), isKnown(operation) else { return nil }
            return Request(kind: .get, place: place, action: .perform(.get(place: place, user: user)))
        }
        if kind.matches("logout") {
            return Request(
                kind: .logout, place: place, action: .perform(.erase(place: place, user: user, password: nil)))
        }
        guard kind.matches("login") else { return nil }
        if let token = try value.member("token"), token.kind == .string {
            return Request(kind: .login, place: place, action: store(try token.secret(), at: place))
        }
        var from = try registry?.member("name")?.string() ?? place
        if let page = try value.member("login-url"), page.kind == .string { from = try page.string() }
        return Request(kind: .login, place: place, action: .perform(.ask(prompt: "Token from \(from): ")))
    }

    private static func isKnown(_ operation: JSONValue) -> Bool {
        operation.matches("read") || operation.matches("publish") || operation.matches("yank")
            || operation.matches("unyank") || operation.matches("owners")
    }

    private static func store(_ token: SecretBytes, at place: String) -> HelperAction {
        token.count == 0
            ? failure("other", "The token is empty")
            : .perform(.store(place: place, user: user, password: token, notes: SecretBytes(utf8: "")))
    }

    package func next(after task: HelperTask, _ outcome: HelperOutcome) -> HelperAction {
        switch outcome {
        case .found(let kept):
            return Self.success { writer in
                writer.member("kind", "get")
                writer.member("token", kept.password)
                writer.member("cache", "session")
                writer.member("operation_independent", true)
            }
        case .typed(let token): return Self.store(token, at: place)
        case .done, .listed: return Self.success { $0.member("kind", kind == .logout ? "logout" : "login") }
        case .notFound: return Self.failure("not-found")
        case .failed(let trouble): return Self.failure("other", trouble.message)
        }
    }

    private static func success(_ members: (inout JSONWriter) -> Void) -> HelperAction {
        .answer(HelperAnswer(line { writer in writer.member("Ok", object: { members(&$0) }) }))
    }

    private static func failure(_ kind: String, _ message: String? = nil) -> HelperAction {
        .answer(
            HelperAnswer(
                line { writer in
                    writer.key("Err")
                    writer.object { writer in
                        writer.member("kind", kind)
                        if let message {
                            writer.member("message", message)
                            writer.key("caused-by")
                            writer.array { _ in }
                        }
                    }
                }))
    }

    private static func line(_ members: (inout JSONWriter) -> Void) -> SecretBytes {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        writer.endLine()
        return writer.withUnsafeBytes { SecretBytes(copying: $0) }
    }
}
