// SPDX-License-Identifier: Apache-2.0

/// The parameters of scrypt (RFC 7914): N = 2^logN blocks of 128·r bytes, p times over.
package struct PassphraseCost: Hashable, Sendable {
    package let logN: UInt8
    package let r: UInt8
    package let p: UInt8

    package init(logN: UInt8, r: UInt8, p: UInt8) {
        self.logN = logN
        self.r = r
        self.p = p
    }

    /// The least that a vault is made with: 128 MiB, once.
    package static let least = PassphraseCost(logN: 17, r: 8, p: 1)
}
