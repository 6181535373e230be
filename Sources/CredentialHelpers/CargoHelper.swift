// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import SecretMemory

/// `cargo-credential-autofill --cargo-plugin`, the "Credential Provider Protocol" of the Cargo Book: it prints the
/// versions that it supports, then answers each line of standard input with one line. A token is stored for the
/// registry's index URL, byte for byte.
package struct CargoHelper: Sendable {
    /// The only version.
    private static let version: Int64 = 1
    /// Registries have no users; this is the user that the token is stored for.
    package static let user = "token"

    private enum Kind: Sendable { case get, login, logout }
    private var kind = Kind.get
    private var url = ""

    /// - Throws: if it is not started by cargo.
    package init(arguments: some Collection<String>) throws(HelperTrouble) {
        guard arguments.first == "--cargo-plugin" else {
            throw HelperTrouble(
                "cargo runs cargo-credential-autofill; to set it up, run autofillctl helper install cargo")
        }
    }

    /// The first line, printed before anything is read.
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
            (kind, url) = (request.kind, request.url)
            return request.action
        } catch {
            return Self.failure("other", "The request was not understood")
        }
    }

    private struct Request {
        let kind: Kind
        let url: String
        let action: HelperAction
    }

    /// - Returns: nil for an unsupported kind or operation.
    private static func read(_ value: JSONValue) throws(JSONError) -> Request? {
        guard try value.member("v")?.integer() == version else {
            return Request(kind: .get, url: "", action: failure("other", "Only version 1 is supported"))
        }
        let registry = try value.member("registry")
        guard let url = try registry?.member("index-url")?.string(), !url.isEmpty else {
            return Request(kind: .get, url: "", action: failure("url-not-supported"))
        }
        guard url.utf8.count <= 2048 else {
            return Request(kind: .get, url: url, action: failure("url-not-supported", "The index URL is too long"))
        }
        guard let kind = try value.member("kind") else { return nil }
        if kind.matches("get") {
            guard let operation = try value.member("operation"), isSupported(operation) else { return nil }
            return Request(kind: .get, url: url, action: .perform(.get(url: url, user: user)))
        }
        if kind.matches("logout") {
            return Request(
                kind: .logout, url: url, action: .perform(.erase(url: url, user: user, password: nil)))
        }
        guard kind.matches("login") else { return nil }
        if let token = try value.member("token"), token.kind == .string {
            return Request(kind: .login, url: url, action: store(try token.secret(), at: url))
        }
        var from = try registry?.member("name")?.string() ?? url
        if let page = try value.member("login-url"), page.kind == .string { from = try page.string() }
        return Request(kind: .login, url: url, action: .perform(.ask(prompt: "Token from \(from): ")))
    }

    private static func isSupported(_ operation: JSONValue) -> Bool {
        operation.matches("read") || operation.matches("publish") || operation.matches("yank")
            || operation.matches("unyank") || operation.matches("owners")
    }

    private static func store(_ token: SecretBytes, at url: String) -> HelperAction {
        token.count == 0
            ? failure("other", "The token is empty")
            : .perform(.store(url: url, user: user, password: token, notes: SecretBytes(utf8: "")))
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
        case .typed(let token): return Self.store(token, at: url)
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
