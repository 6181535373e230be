// SPDX-License-Identifier: Apache-2.0
/// The head of a request (RFC 9112), as far as the page's requests need it: everything else is refused.
struct HTTPRequest {
    enum Method: String {
        case get = "GET"
        case post = "POST"
    }

    let method: Method
    let path: String
    /// Bytes of the body.
    let bodyCount: Int
    private let fields: [String: String]

    /// The value of a header field, by its name in lower case.
    subscript(name: String) -> String? { fields[name] }

    /// Reads a head, with the empty line at its end.
    init(head: UnsafeRawBufferPointer) throws(HTTPStatus) {
        // Printable ASCII and line ends alone: an unusual byte could be read in another way by another program.
        guard head.allSatisfy({ PrintableASCII.contains($0) || $0 == 0x0D || $0 == 0x0A }) else { throw .badRequest }
        // "\r\n" is one Character; a "\r" or "\n" alone remains in its line.
        var lines = String(decoding: head, as: UTF8.self)
            .split(separator: "\r\n" as Character, omittingEmptySubsequences: false)[...]
        guard lines.allSatisfy({ !$0.contains("\r") && !$0.contains("\n") }) else { throw .badRequest }
        let start = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard start.count == 3 else { throw .badRequest }
        guard start[2] == "HTTP/1.1" else { throw .notSupported }
        guard let method = Method(rawValue: String(start[0])) else { throw .methodNotAllowed }
        var fields: [String: String] = [:]
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw .badRequest }
            let name = line[..<colon].lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else { throw .badRequest }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            // Two values could be read as either.
            guard fields.updateValue(String(value.trimmingSuffix { $0 == " " }), forKey: name) == nil else {
                throw .badRequest
            }
        }
        guard fields["transfer-encoding"] == nil else { throw .notSupported }
        (self.method, path, self.fields) = (method, String(start[1]), fields)
        bodyCount = try Self.bodyCount(fields["content-length"], of: method)
    }

    private static func bodyCount(_ text: String?, of method: Method) throws(HTTPStatus) -> Int {
        guard let text else {
            if method == .post { throw .badRequest }
            return 0
        }
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(text)
        else { throw .badRequest }
        guard method == .post || count == 0 else { throw .badRequest }
        guard count <= PlaygroundLimits.bodyBytes else { throw .bodyTooLarge }
        return count
    }

    /// The characters of a token that fields in use are named with.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Space to tilde.
private enum PrintableASCII {
    static func contains(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
