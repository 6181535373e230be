// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// `otpauth://totp/ISSUER:ACCOUNT?secret=BASE32&issuer=…&algorithm=…&digits=…&period=…`, as authenticator apps write it
/// (the key URI format of Google Authenticator). It is read as bytes: the secret is never in a string.
extension OneTimePassword {
    /// Reads a URI.
    package init(uri: UnsafeRawBufferPointer) throws(OneTimePasswordError) {
        let components = URIComponents(uri)
        guard let components, components.scheme.isLowercased("otpauth") else { throw .notAnOTPAuthURI }
        let values = try Parameters(components.query)
        let isTimed: Bool
        if components.type.isLowercased("totp") {
            isTimed = true
        } else if components.type.isLowercased("hotp") {
            isTimed = false
        } else {
            throw .unknownType
        }
        let label = try components.label.decodedLabel(issuer: try values.value("issuer")?.decodedText())
        guard let encoded = values.value("secret") else { throw .secretMissing }
        let secret = try encoded.decoded().withUnsafeBytes { Base32.decode($0) }
        guard let secret, Self.secretBytes.contains(secret.count) else { throw .secretInvalid }
        self.init(
            secret: secret, factor: try Self.factor(isTimed: isTimed, values), algorithm: try Self.algorithm(values),
            digits: try Self.digits(values),
            issuer: label.issuer, account: label.account)
    }

    private static func factor(
        isTimed: Bool, _ values: Parameters
    ) throws(OneTimePasswordError) -> Factor {
        if isTimed {
            guard let period = values.value("period") else { return .time(period: 30) }
            guard let seconds = period.number, (1...UInt64(longestPeriod)).contains(seconds) else {
                throw .periodInvalid
            }
            return .time(period: Int(seconds))
        }
        guard let counter = values.value("counter") else { throw .counterMissing }
        guard let number = counter.number, number <= greatestCounter else { throw .counterInvalid }
        return .counter(number)
    }

    private static func algorithm(_ values: Parameters) throws(OneTimePasswordError) -> Algorithm {
        guard let name = values.value("algorithm") else { return .sha1 }
        for algorithm in Algorithm.allCases where name.isLowercased(algorithm.rawValue.lowercased()) {
            return algorithm
        }
        throw .algorithmUnknown
    }

    private static func digits(_ values: Parameters) throws(OneTimePasswordError) -> Int {
        guard let digits = values.value("digits") else { return 6 }
        guard let number = digits.number, number < 100, digitCounts.contains(Int(number)) else {
            throw .digitsInvalid
        }
        return Int(number)
    }

    /// The URI in its canonical form: all parameters named, the secret in upper case without padding.
    package var uri: SecretBytes {
        let type: String
        let moving: String
        switch factor {
        case .time(let period): (type, moving) = ("totp", "period=\(period)")
        case .counter(let counter): (type, moving) = ("hotp", "counter=\(counter)")
        }
        let label = (issuer.map { $0.percentEncoded + ":" } ?? "") + account.percentEncoded
        let before = Array("otpauth://\(type)/\(label)?secret=".utf8)
        let named = issuer.map { "&issuer=\($0.percentEncoded)" } ?? ""
        let after = Array("\(named)&algorithm=\(algorithm.rawValue)&digits=\(digits)&\(moving)".utf8)
        let middle = Base32.encodedCount(secret.count)
        return SecretBytes(count: before.count + middle + after.count) { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[..<before.count]).copyBytes(from: before)
            secret.withUnsafeBytes {
                Base32.encode($0, to: UnsafeMutableRawBufferPointer(rebasing: memory[before.count...]))
            }
            UnsafeMutableRawBufferPointer(rebasing: memory[(before.count + middle)...]).copyBytes(from: after)
        }
    }
}

extension String {
    /// Everything but RFC 3986's unreserved characters as `%XX`.
    fileprivate var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "@"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%"
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
