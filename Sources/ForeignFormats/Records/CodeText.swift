// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The secret of one-time codes, as other programs write it, as an `otpauth://` URI.
enum CodeText {
    /// How codes are computed, where it is not stated in a URI.
    struct Parameters {
        var algorithm = "SHA1"
        var digits: Int64 = 6
        var period: Int64 = 30
        var counter: Int64?
        /// nil: the title; empty: none.
        var issuer: String?
        /// nil: the user.
        var account: String?
    }

    enum Reading {
        case code(SecretBytes)
        /// Steam's, or what is no secret.
        case unsupported
    }

    /// A URI, or a secret in base 32 with or without spaces.
    static func read(
        _ value: SecretBytes, title: String, user: String, _ parameters: Parameters = Parameters()
    ) -> Reading {
        value.withUnsafeBytes { bytes in
            if isURI(bytes) { return .code(value) }
            guard let secret = base32(bytes) else { return .unsupported }
            let issuer = parameters.issuer ?? title
            let account = parameters.account ?? (user.isEmpty && issuer.isEmpty ? title : user)
            var buffer = SecretBuffer(capacity: 256)
            buffer.append(parameters.counter == nil ? "otpauth://totp/" : "otpauth://hotp/")
            if !issuer.isEmpty { buffer.append(percentEncoded(issuer) + (account.isEmpty ? "" : ":")) }
            buffer.append(percentEncoded(account) + "?secret=")
            buffer.append(secret)
            if !issuer.isEmpty { buffer.append("&issuer=" + percentEncoded(issuer)) }
            if parameters.algorithm != "SHA1" { buffer.append("&algorithm=" + parameters.algorithm) }
            if parameters.digits != 6 { buffer.append("&digits=\(parameters.digits)") }
            if let counter = parameters.counter {
                buffer.append("&counter=\(counter)")
            } else if parameters.period != 30 {
                buffer.append("&period=\(parameters.period)")
            }
            return .code(buffer.secret)
        }
    }

    static func isURI(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let scheme = "otpauth://".utf8
        return bytes.count > scheme.count && zip(bytes, scheme).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }

    /// In upper case, without spaces, hyphens and padding; nil for what is not base 32.
    private static func base32(_ bytes: UnsafeRawBufferPointer) -> SecretBytes? {
        func isLeftOut(_ byte: UInt8) -> Bool { [0x20, 0x2D, 0x3D].contains(byte) }
        let count = bytes.count { !isLeftOut($0) }
        var isValid = count > 0
        let secret = SecretBytes(count: count) { memory in
            var index = 0
            for byte in bytes where !isLeftOut(byte) {
                let upper = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
                if !(0x41...0x5A).contains(upper), !(0x32...0x37).contains(upper) { isValid = false }
                memory[index] = upper
                index += 1
            }
        }
        return isValid ? secret : nil
    }

    /// Everything but unreserved characters as `%XX`.
    static func percentEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension ForeignEntry {
    /// Sets the secret of one-time codes. A further one is kept as a field, and one that cannot be used is kept as a field
    /// and reported.
    mutating func setCode(
        _ value: SecretBytes, _ parameters: CodeText.Parameters = CodeText.Parameters(),
        reporting collector: RecordCollector
    ) {
        guard value.count > 0 else { return }
        switch CodeText.read(value, title: title, user: user, parameters) {
        case .code(let uri) where code == nil: code = uri
        case .code(let uri): if !SecretBytes.equal(code, uri) { keep("otp", uri, isSecret: true) }
        case .unsupported:
            keep("otp", value, isSecret: true)
            collector.report(NotConverted(title: title, what: .code, reason: .unsupportedCode, line: line))
        }
    }
}
