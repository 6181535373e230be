// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What a record is found by without its names being in the file: 16 bytes for its scope (all that share one lie together
/// and can be listed) and 16 for its name in it, each an HMAC-SHA256 over a purpose and the canonical values, cut in half.
package struct BlindIndex: Hashable, Sendable {
    package static let length = 32

    package let scope: SealTag
    package let name: SealTag

    /// What is hashed: the purpose's byte, then each value after its length. The numbers are part of the format.
    package enum Purpose: UInt8 {
        case credentialService = 1
        case credentialUser = 2
        case deletedCredentials = 3
        case deletedCredential = 4
        case pendingOffers = 5
        case offerForm = 6
        case formlessOffer = 7
        case settledOffers = 8
        case settledOffer = 9
        case grants = 10
        case grantSubject = 11
        case items = 12
        case itemAccount = 13
        case verifiers = 14
        case verifierName = 15
        case settings = 16
        case settingName = 17
        case itemAttribute = 18
        case itemGroup = 19
        case unplacedItems = 20
        case unplacedItem = 21
        case itemCollection = 22
        case credentialOfOtherKind = 24
        case furtherService = 25
        case furtherUser = 26
        case credentialSite = 27
        case itemOwner = 28
        case syncEntries = 29
        case syncEntry = 30
        case syncLogin = 31
        case syncSequence = 32
    }

    /// The code of some values for a purpose.
    package static func digest(_ purpose: Purpose, _ values: [String], key: KeyedHash) -> SealTag {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        bytes.append(purpose.rawValue)
        for value in values {
            let start = bytes.count
            bytes.append(contentsOf: [0, 0, 0, 0])
            Canonical.append(value, to: &bytes)
            let length = bytes.count - start - 4
            for byte in 0..<4 { bytes[start + byte] = UInt8(truncatingIfNeeded: length >> (24 - 8 * byte)) }
        }
        return key.code(for: bytes)
    }

    /// The index of a name in a scope, whose values are a part of the name's: so equal names in two scopes have nothing in
    /// common. In the first format they had.
    package init(
        scope: Purpose, _ scopeValues: [String], name: Purpose, _ nameValues: [String], key: KeyedHash
    ) {
        self.scope = Self.digest(scope, scopeValues, key: key)
        self.name = Self.digest(name, key.format == .first ? nameValues : scopeValues + nameValues, key: key)
    }

    package init(scope: SealTag, name: SealTag) {
        self.scope = scope
        self.name = name
    }

    /// From its bytes; nil for any other length.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length else { return nil }
        scope = SealTag(UnsafeRawBufferPointer(rebasing: bytes[..<16]))
        name = SealTag(UnsafeRawBufferPointer(rebasing: bytes[16...]))
    }

    /// Scope, then name: 32 bytes.
    package var bytes: [UInt8] { Self.bytes(scope, name) }

    /// The least and the greatest index of a scope.
    package static func range(of scope: SealTag) -> (first: [UInt8], last: [UInt8]) {
        (bytes(scope, .none), bytes(scope, SealTag(high: .max, low: .max)))
    }

    private static func bytes(_ scope: SealTag, _ name: SealTag) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            memory.storeBytes(of: scope.high.bigEndian, as: UInt64.self)
            memory.storeBytes(of: scope.low.bigEndian, toByteOffset: 8, as: UInt64.self)
            memory.storeBytes(of: name.high.bigEndian, toByteOffset: 16, as: UInt64.self)
            memory.storeBytes(of: name.low.bigEndian, toByteOffset: 24, as: UInt64.self)
            count = length
        }
    }
}

/// The form of names in look-ups.
package enum Canonical {
    /// The UTF-8 of the NFC form (Unicode Standard Annex #15); ASCII is its own.
    package static func utf8(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    package static func append(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        guard bytes[start...].contains(where: { $0 >= 0x80 }) else { return }
        bytes.removeSubrange(start...)
        text.forEachInNFC { bytes.append(contentsOf: $0) }
    }
}
