// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The secret of one-time codes in the fields of KeePass, KeePassXC and their plugins.
enum KeePassCode {
    static let names: Set = [
        "otp", "TOTP Seed", "TOTP Settings", "TimeOtp-Secret-Base32", "TimeOtp-Period", "TimeOtp-Length",
        "TimeOtp-Algorithm", "HmacOtp-Secret-Base32", "HmacOtp-Counter",
    ]

    static func read(_ values: [String: SecretBytes], _ entry: inout ForeignEntry, _ collector: RecordCollector) {
        func text(_ name: String) -> String? {
            values[name].map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        }
        var parameters = CodeText.Parameters()
        if let otp = values["otp"] {
            // KeeOtp's form: key=…&size=…&step=…
            if let pairs = text("otp"), pairs.hasPrefix("key=") {
                var secret = otp
                for pair in pairs.split(separator: "&") {
                    let value = pair.drop { $0 != "=" }.dropFirst()
                    switch pair.prefix(while: { $0 != "=" }) {
                    case "key": secret = SecretBytes(utf8: String(value).replacing(percent: "%3d"))
                    case "size": parameters.digits = Int64(value) ?? 6
                    case "step": parameters.period = Int64(value) ?? 30
                    default: break
                    }
                }
                entry.setCode(secret, parameters, reporting: collector)
            } else {
                entry.setCode(otp, reporting: collector)
            }
        } else if let seed = values["TOTP Seed"] {
            // "30;6", or "30;S" for Steam.
            let settings = (text("TOTP Settings") ?? "30;6").split(separator: ";")
            parameters.period = settings.first.flatMap { Int64($0) } ?? 30
            if settings.count > 1, settings[1] == "S" { return keepAll(values, &entry, collector) }
            parameters.digits = settings.count > 1 ? Int64(settings[1]) ?? 6 : 6
            entry.setCode(seed, parameters, reporting: collector)
        } else if let secret = values["TimeOtp-Secret-Base32"] {
            parameters.period = text("TimeOtp-Period").flatMap { Int64($0) } ?? 30
            parameters.digits = text("TimeOtp-Length").flatMap { Int64($0) } ?? 6
            switch text("TimeOtp-Algorithm") {
            case "HMAC-SHA-256": parameters.algorithm = "SHA256"
            case "HMAC-SHA-512": parameters.algorithm = "SHA512"
            default: break
            }
            entry.setCode(secret, parameters, reporting: collector)
        } else if let secret = values["HmacOtp-Secret-Base32"] {
            parameters.counter = text("HmacOtp-Counter").flatMap { Int64($0) } ?? 0
            entry.setCode(secret, parameters, reporting: collector)
        }
    }

    private static func keepAll(
        _ values: [String: SecretBytes], _ entry: inout ForeignEntry, _ collector: RecordCollector
    ) {
        for name in ["TOTP Seed", "TOTP Settings"] {
            if let value = values[name] { entry.keep(name, value, isSecret: true) }
        }
        collector.report(NotConverted(title: entry.title, what: .code, reason: .unsupportedCode))
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
