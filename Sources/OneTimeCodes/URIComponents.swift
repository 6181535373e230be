// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The ranges of the components of a URI (RFC 3986, section 3): `scheme://type/label?query`. A fragment is left out.
struct URIComponents {
    let scheme: Slice
    let type: Slice
    let label: Slice
    let query: Slice

    /// Bytes of the URI; valid as long as the URI is.
    struct Slice {
        let bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer.SubSequence) { self.bytes = UnsafeRawBufferPointer(rebasing: bytes) }
    }

    init?(_ uri: UnsafeRawBufferPointer) {
        let whole = uri[..<(uri.firstIndex(of: UInt8(ascii: "#")) ?? uri.endIndex)]
        guard let colon = whole.firstIndex(of: UInt8(ascii: ":")), whole.count > colon + 3,
            whole[colon + 1] == UInt8(ascii: "/"), whole[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        let rest = whole[(colon + 3)...]
        guard let question = rest.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let path = rest[..<question]
        guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        scheme = Slice(whole[..<colon])
        type = Slice(path[..<slash])
        label = Slice(path[(slash + 1)...])
        query = Slice(rest[(question + 1)...])
    }
}

/// The parameters of a query, each once.
struct Parameters {
    private var values: [String: URIComponents.Slice] = [:]

    init(_ query: URIComponents.Slice) throws(OneTimePasswordError) {
        for pair in query.bytes.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = String(decoding: pair[..<equals], as: UTF8.self).lowercased()
            let value = URIComponents.Slice(pair[min(equals + 1, pair.endIndex)...])
            guard values.updateValue(value, forKey: name) == nil else { throw .parameterRepeated }
        }
    }

    /// A value as written in the URI.
    func value(_ name: String) -> URIComponents.Slice? { values[name] }
}

extension URIComponents.Slice {
    /// Whether it equals `word`, which is in lower case, in any case.
    func isLowercased(_ word: String) -> Bool {
        bytes.count == word.utf8.count
            && zip(bytes, word.utf8).allSatisfy { byte, other in
                byte == other || (65...90).contains(byte) && byte + 32 == other
            }
    }

    /// Decimal digits as a number; nil for anything else.
    var number: UInt64? {
        guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
        var number: UInt64 = 0
        for byte in bytes {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + UInt64(byte - 48)
        }
        return number
    }

    /// With each `%XX` as its byte.
    func decoded() throws(OneTimePasswordError) -> SecretBytes {
        var count = 0
        var isMalformed = false
        let memory = SecretBytes(count: bytes.count) { memory in
            var index = 0
            while index < bytes.count {
                var byte = bytes[index]
                if byte == UInt8(ascii: "%") {
                    guard index + 2 < bytes.count, let high = Self.hexadecimal(bytes[index + 1]),
                        let low = Self.hexadecimal(bytes[index + 2])
                    else {
                        isMalformed = true
                        return
                    }
                    byte = high << 4 | low
                    index += 2
                }
                memory[count] = byte
                count += 1
                index += 1
            }
        }
        if isMalformed { throw .escapeInvalid }
        return memory.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// The same as text, for what is no secret.
    func decodedText() throws(OneTimePasswordError) -> String {
        let text = try decoded().withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let text, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .escapeInvalid
        }
        return text
    }

    /// A label: `ISSUER:ACCOUNT`, or the account alone. An issuer that the query names is searched as a whole, so that
    /// a colon in it does not split it. Spaces before the account do not count.
    func decodedLabel(issuer: String?) throws(OneTimePasswordError) -> (issuer: String?, account: String) {
        let label = try decodedText().unicodeScalars
        let account: String.UnicodeScalarView.SubSequence
        var named = issuer
        if let issuer, label.starts(with: (issuer + ":").unicodeScalars) {
            account = label.dropFirst(issuer.unicodeScalars.count + 1)
        } else if let colon = label.firstIndex(of: ":") {
            account = label[label.index(after: colon)...]
            named = issuer ?? String(label[..<colon])
        } else {
            account = label[...]
        }
        return (named, String(account.drop { $0 == " " }))
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
