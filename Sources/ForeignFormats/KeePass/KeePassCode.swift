// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The secret of one-time codes in the fields of KeePass, KeePassXC and their plugins.
enum KeePassCode {
    static let names: Set = [
        "otp", "TOTP Seed", "TOTP Settings", "TimeOtp-Secret-Base32", "TimeOtp-Period", "TimeOtp-Length",
        "TimeOtp-Algorithm", "HmacOtp-Secret-Base32", "HmacOtp-Counter",
    ]

    /// The fields that have the parameters of a secret.
    private static let parameters = [
        (secret: "TOTP Seed", names: ["TOTP Settings"]),
        (secret: "TimeOtp-Secret-Base32", names: ["TimeOtp-Period", "TimeOtp-Length", "TimeOtp-Algorithm"]),
        (secret: "HmacOtp-Secret-Base32", names: ["HmacOtp-Counter"]),
    ]

    /// The first secret that can be used is the code, and every other one a field.
    static func read(_ values: [String: SecretBytes], _ entry: inout ForeignEntry, _ collector: RecordCollector) {
        func text(_ name: String) -> String? {
            values[name].map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        }
        if let otp = values["otp"] {
            if let pairs = text("otp"), pairs.hasPrefix("key=") {
                readKeeOtp(pairs, otp, &entry, collector)
            } else {
                entry.setCode(otp, reporting: collector)
            }
        }
        if let seed = values["TOTP Seed"] {
            // "30;6", or "30;S" for Steam.
            let settings = (text("TOTP Settings") ?? "30;6").split(separator: ";")
            if settings.count > 1, settings[1] == "S" {
                keep(["TOTP Seed", "TOTP Settings"], values, &entry)
                collector.report(NotConverted(title: entry.title, what: .code, reason: .unsupportedCode))
            } else {
                var parameters = CodeText.Parameters()
                parameters.period = settings.first.flatMap { Int64($0) } ?? 30
                parameters.digits = settings.count > 1 ? Int64(settings[1]) ?? 6 : 6
                entry.setCode(seed, parameters, reporting: collector)
            }
        }
        if let secret = values["TimeOtp-Secret-Base32"] {
            var parameters = CodeText.Parameters()
            parameters.period = text("TimeOtp-Period").flatMap { Int64($0) } ?? 30
            parameters.digits = text("TimeOtp-Length").flatMap { Int64($0) } ?? 6
            switch text("TimeOtp-Algorithm") {
            case "HMAC-SHA-256": parameters.algorithm = "SHA256"
            case "HMAC-SHA-512": parameters.algorithm = "SHA512"
            default: break
            }
            entry.setCode(secret, parameters, reporting: collector)
        }
        if let secret = values["HmacOtp-Secret-Base32"] {
            var parameters = CodeText.Parameters()
            parameters.counter = text("HmacOtp-Counter").flatMap { Int64($0) } ?? 0
            entry.setCode(secret, parameters, reporting: collector)
        }
        // Those of a secret in another encoding, which is a field too.
        for (secret, names) in parameters where values[secret] == nil { keep(names, values, &entry) }
    }

    /// KeeOtp's form: key=…&size=…&step=…. A code of another type than TOTP, and one whose secret is not in base 32, is kept
    /// as it is.
    private static func readKeeOtp(
        _ pairs: String, _ otp: SecretBytes, _ entry: inout ForeignEntry, _ collector: RecordCollector
    ) {
        var parameters = CodeText.Parameters()
        var secret = otp
        var isSupported = true
        for pair in pairs.split(separator: "&") {
            let value = String(pair.drop { $0 != "=" }.dropFirst())
            switch pair.prefix(while: { $0 != "=" }) {
            case "key": secret = SecretBytes(utf8: value.replacing(percent: "%3d"))
            case "size": parameters.digits = Int64(value) ?? 6
            case "step": parameters.period = Int64(value) ?? 30
            case "otpHashMode":
                parameters.algorithm = value.uppercased()
                if !["SHA1", "SHA256", "SHA512"].contains(parameters.algorithm) { isSupported = false }
            case "type", "encoder": if value.lowercased() != "totp" { isSupported = false }
            case "encoding": if value.lowercased() != "base32" { isSupported = false }
            default: break
            }
        }
        guard !isSupported else { return entry.setCode(secret, parameters, reporting: collector) }
        entry.keep("otp", otp, isSecret: true)
        collector.report(NotConverted(title: entry.title, what: .code, reason: .unsupportedCode))
    }

    private static func keep(_ names: [String], _ values: [String: SecretBytes], _ entry: inout ForeignEntry) {
        for name in names {
            if let value = values[name] { entry.keep(name, value, isSecret: true) }
        }
    }
}

extension String {
    /// Without an escape, in either case.
    fileprivate func replacing(percent escape: String) -> String {
        var (result, rest) = ("", self[...])
        while let character = rest.first {
            if rest.prefix(escape.count).lowercased() == escape {
                rest = rest.dropFirst(escape.count)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
