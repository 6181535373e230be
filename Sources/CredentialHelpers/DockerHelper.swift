// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// `docker-credential-autofill store|get|erase|list|version`, the protocol of docker-credential-helpers: the input is
/// on standard input, an error is printed on standard output with the exit status 1. The server's address is used byte
/// for byte.
package struct DockerHelper: Sendable {
    package enum Operation: String, Sendable { case store, get, erase, list, version }

    /// Clients compare these.
    private static let notFound = "credentials not found in native keychain"
    private static let noServer = "no credentials server URL"
    private static let noUser = "no credentials username"

    package let operation: Operation

    /// - Throws: for anything but one of the operations.
    package init(arguments: some Collection<String>) throws(HelperTrouble) {
        guard arguments.count == 1, let name = arguments.first else {
            throw HelperTrouble("Usage: docker-credential-autofill <store|get|erase|list|version>")
        }
        guard let operation = Operation(rawValue: name) else {
            throw HelperTrouble("Unknown credential action `\(name)`")
        }
        self.operation = operation
    }

    package var readsInput: Bool { operation != .list && operation != .version }

    package func start(_ input: UnsafeRawBufferPointer) -> HelperAction {
        switch operation {
        case .list: return .perform(.list)
        case .version:
            let version = "docker-credential-autofill (autofilld) v\(ProductVersion.text)\n"
            return .answer(HelperAnswer(SecretBytes(utf8: version)))
        case .get, .erase:
            guard let server = Self.trimmed(input), !server.isEmpty else { return Self.error(Self.noServer) }
            return .perform(
                operation == .get
                    ? .get(url: server, user: nil) : .erase(url: server, user: nil, password: nil))
        case .store: return store(input)
        }
    }

    package func next(after task: HelperTask, _ outcome: HelperOutcome) -> HelperAction {
        switch outcome {
        case .found(let kept):
            guard case .get(let server, _) = task else { return Self.error(Self.notFound) }
            return Self.json { writer in
                writer.member("ServerURL", server)
                writer.member("Username", kept.user)
                writer.member("Secret", kept.password)
            }
        case .listed(let locations):
            var users: [String: String] = [:]
            for kept in locations { users[kept.url] = kept.user }
            return Self.json { writer in
                for (server, user) in users.sorted(by: { $0.key < $1.key }) {
                    writer.key(string: server)
                    writer.string(user)
                }
            }
        case .done, .typed: return .answer(HelperAnswer())
        // Erasing a password that is not stored succeeds.
        case .notFound: return operation == .erase ? .answer(HelperAnswer()) : Self.error(Self.notFound)
        case .failed(let trouble): return Self.error(trouble.message)
        }
    }

    /// The answer that reports an error.
    package static func error(_ message: String) -> HelperAction {
        .answer(HelperAnswer(SecretBytes(utf8: message + "\n"), status: 1))
    }

    private func store(_ input: UnsafeRawBufferPointer) -> HelperAction {
        var scanner = JSONScanner(maximumDepth: 8)
        let read = try? scanner.scan(input) { value throws(JSONError) in
            (
                try value.member("ServerURL")?.string() ?? "", try value.member("Username")?.string() ?? "",
                try value.member("Secret")?.secret() ?? SecretBytes(utf8: "")
            )
        }
        guard let (server, user, secret) = read else { return Self.error("The credentials are not JSON") }
        guard !server.isEmpty else { return Self.error(Self.noServer) }
        guard !user.isEmpty else { return Self.error(Self.noUser) }
        return .perform(.store(url: server, user: user, password: secret, notes: SecretBytes(utf8: "")))
    }

    private static func trimmed(_ input: UnsafeRawBufferPointer) -> String? {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = input.firstIndex(where: { !isSpace($0) }), let last = input.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return String(validating: input[first...last], as: UTF8.self)
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> HelperAction {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        writer.endLine()
        return .answer(HelperAnswer(writer.withUnsafeBytes { SecretBytes(copying: $0) }))
    }
}
