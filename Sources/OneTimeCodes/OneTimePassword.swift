// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What one-time codes are made from: the shared secret, and how. RFC 4226 (a counter) or RFC 6238 (the time).
package struct OneTimePassword: Sendable {
    /// What moves from code to code.
    package enum Factor: Hashable, Sendable {
        /// The time: a code for each span of so many seconds, 1 or more.
        case time(period: Int)
        /// The counter of the next code.
        case counter(UInt64)
    }

    /// The hash of the HMAC, named as in an `otpauth://` URI.
    package enum Algorithm: String, CaseIterable, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    /// The greatest period, in seconds.
    package static let longestPeriod = Int(Int32.max)
    /// The greatest counter: it stays an integer of every language.
    package static let greatestCounter: UInt64 = 1 << 53 - 1
    /// Digits of a code.
    package static let digitCounts = 6...8
    /// Bytes of a secret.
    package static let secretBytes = 1...512

    package let secret: SecretBytes
    package var factor: Factor
    package let algorithm: Algorithm
    package let digits: Int
    /// The issuer of the account, for users; nil where the URI does not name it.
    package let issuer: String?
    /// The name of the account, for users.
    package let account: String

    package init(
        secret: SecretBytes, factor: Factor = .time(period: 30), algorithm: Algorithm = .sha1, digits: Int = 6,
        issuer: String? = nil, account: String = ""
    ) {
        self.secret = secret
        self.factor = factor
        self.algorithm = algorithm
        self.digits = digits
        self.issuer = issuer
        self.account = account
    }
}
