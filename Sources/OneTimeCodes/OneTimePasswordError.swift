// SPDX-License-Identifier: Apache-2.0

/// Why an `otpauth://` URI was refused. It never holds any of it.
package enum OneTimePasswordError: Error, Hashable, Sendable, CaseIterable {
    case notAnOTPAuthURI
    case unknownType
    case secretMissing
    case secretInvalid
    case algorithmUnknown
    case digitsInvalid
    case periodInvalid
    case counterMissing
    case counterInvalid
    case parameterRepeated
    /// A `%` without two hexadecimal digits, or what is no text.
    case escapeInvalid

    /// The accepted form: it follows the word "as".
    package var expected: String {
        switch self {
        case .notAnOTPAuthURI: "otpauth://totp/ISSUER:ACCOUNT?secret=BASE32"
        case .unknownType: "an otpauth URI of the type totp or hotp"
        case .secretMissing: "an otpauth URI with a parameter secret"
        case .secretInvalid:
            "an otpauth URI whose secret is base 32 (RFC 4648) of 1 to \(OneTimePassword.secretBytes.upperBound) bytes"
        case .algorithmUnknown: "an otpauth URI whose algorithm is SHA1, SHA256 or SHA512"
        case .digitsInvalid: "an otpauth URI with 6 to 8 digits"
        case .periodInvalid: "an otpauth URI whose period is a whole number of seconds, 1 or more"
        case .counterMissing: "an otpauth URI of the type hotp with a parameter counter"
        case .counterInvalid: "an otpauth URI whose counter is a whole number below 2^53"
        case .parameterRepeated: "an otpauth URI that has each parameter once"
        case .escapeInvalid: "an otpauth URI in UTF-8, with %XX for what a URI cannot hold"
        }
    }
}
