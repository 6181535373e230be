// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Who may use the server: whoever has the token, from the server's own page.
final class PlaygroundAccess {
    /// `127.0.0.1:PORT`.
    private let authority: String
    private let token = PlaygroundAccess.random()
    /// A code that is good for one exchange against the token.
    private var launchCode: String?

    init(port: UInt16) { authority = "127.0.0.1:\(port)" }

    /// The page's address with the token in the fragment, which a browser sends to nobody.
    var address: String { "http://\(authority)/#\(token)" }

    /// The same for another program's arguments, which other users can read: with a code that its first use ends.
    func launchAddress() -> String {
        let code = Self.random()
        launchCode = code
        return "http://\(authority)/#\(code)"
    }

    /// Refuses what was not addressed to this server (a page whose host's address became 127.0.0.1), or sent by a page of
    /// another origin.
    func checkOrigin(_ request: HTTPRequest) throws(HTTPStatus) {
        guard request["host"] == authority else { throw .wrongHost }
        let origin = request["origin"]
        // A browser sends the origin with every POST.
        guard origin == "http://\(authority)" || origin == nil && request.method == .get else { throw .foreignOrigin }
        switch request["sec-fetch-site"] {
        case nil, "same-origin", "none": break
        default: throw .foreignOrigin
        }
    }

    func checkToken(_ request: HTTPRequest) throws(HTTPStatus) {
        guard Self.areEqual(try Self.bearer(request), token) else { throw .tokenRequired }
    }

    /// The token, for the code of a launch or for the token itself.
    func exchange(_ request: HTTPRequest) throws(HTTPStatus) -> String {
        let given = try Self.bearer(request)
        if let code = launchCode, Self.areEqual(given, code) {
            launchCode = nil
            return token
        }
        guard Self.areEqual(given, token) else { throw .tokenRequired }
        return token
    }

    private static func bearer(_ request: HTTPRequest) throws(HTTPStatus) -> String {
        let prefix = "Bearer "
        guard let value = request["authorization"], value.hasPrefix(prefix) else { throw .tokenRequired }
        return String(value.dropFirst(prefix.count))
    }

    /// In a time that depends on the lengths only.
    private static func areEqual(_ left: String, _ right: String) -> Bool {
        SecretBytes(utf8: left).equals(SecretBytes(utf8: right))
    }

    /// 256 random bits as hexadecimal digits.
    private static func random() -> String {
        var entropy = SystemEntropy()
        return (0..<16).map { _ in
            let digits = String(UInt16.random(in: 0...UInt16.max, using: &entropy), radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
