// SPDX-License-Identifier: Apache-2.0

/// A one-time-code secret, and the nonce that names its counter wherever the secret is written.
package struct OneTimeCode: Comparable, Sendable {
    /// Names a counter: random bits, or a hash for a secret from before sync.
    package typealias Nonce = UInt64

    /// The `otpauth://` URI, without its counter.
    package let uri: SyncSecret
    package let nonce: Nonce

    package init(uri: SyncSecret, nonce: Nonce) {
        self.uri = uri
        self.nonce = nonce
    }

    package static func < (left: OneTimeCode, right: OneTimeCode) -> Bool {
        left.uri == right.uri ? left.nonce < right.nonce : left.uri < right.uri
    }
}
