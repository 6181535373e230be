// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The parameters of a URI, for formats that have them apart.
extension CodeText {
    struct Parsed {
        var parameters: Parameters
        /// In base 32.
        var secret: SecretBytes
    }

    /// Of a time-based URI in which nothing but the usual parameters is; nil for any other.
    static func parse(_ uri: SecretBytes) -> Parsed? {
        uri.withUnsafeBytes { bytes in
            let scheme = "otpauth://totp/".utf8
            guard isURI(bytes), bytes.starts(with: scheme),
                let question = bytes.firstIndex(of: UInt8(ascii: "?"))
            else { return nil }
            var parameters = Parameters(issuer: "")
            guard let label = decoded(bytes[scheme.count..<question]) else { return nil }
            let colon = label.firstIndex(of: ":")
            let account = colon.map { String(label[label.index(after: $0)...]) } ?? label
            let labelIssuer = colon.map { String(label[..<$0]) }
            var secret: SecretBytes?
            for pair in bytes[(question + 1)...].split(separator: UInt8(ascii: "&")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let value = pair[(equals + 1)...]
                switch String(decoding: pair[..<equals], as: UTF8.self) {
                case "secret": secret = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: value))
                case "issuer": parameters.issuer = decoded(value)
                case "algorithm": parameters.algorithm = String(decoding: value, as: UTF8.self).uppercased()
                case "digits": parameters.digits = Int64(String(decoding: value, as: UTF8.self)) ?? -1
                case "period": parameters.period = Int64(String(decoding: value, as: UTF8.self)) ?? -1
                default: return nil
                }
            }
            if parameters.issuer == "", let labelIssuer { parameters.issuer = labelIssuer }
            parameters.account = account
            guard let secret, let issuer = parameters.issuer, parameters.digits > 0, parameters.period > 0,
                labelIssuer == nil || labelIssuer == issuer,
                ["SHA1", "SHA256", "SHA512"].contains(parameters.algorithm)
            else { return nil }
            if labelIssuer == nil, !issuer.isEmpty, account == issuer { parameters.account = "" }
            return Parsed(parameters: parameters, secret: secret)
        }
    }

    private static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
        var (result, index): ([UInt8], Int) = ([], text.startIndex)
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex,
                    let byte = BinaryText.bytes(hexadecimal: text[(index + 1)...(index + 2)])
                else { return nil }
                result += byte
                index += 3
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
