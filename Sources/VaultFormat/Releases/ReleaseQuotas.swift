// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// How much of the release log each app uses, so that an app that fills it loses its own entries and no other's.
///
/// A quota key is an app at one assurance. All apps that come when there are `limit` keys have the key `rest`.
package struct ReleaseQuotas: Hashable, Sendable {
    /// How many there are at most, `rest` included.
    package static let limit = 32
    package static let rest = SealTag.none

    package struct Quota: Hashable, Sendable {
        package var key: SealTag
        /// How many bytes its entries use in the database.
        package var bytes: UInt32
        /// None of its entries in the database has a lower number.
        package var oldest: UInt64
    }

    package private(set) var all: [Quota] = []

    /// The quota key of an app: the first half of SHA-256(length (4) ‖ app ‖ assurance).
    package static func key(app: String, assurance: String) -> SealTag {
        var hash = SHA256()
        withUnsafeBytes(of: UInt32(app.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
        for text in [app, assurance] { hash.update(data: Array(text.utf8)) }
        return hash.finalize().withUnsafeBytes { SealTag(UnsafeRawBufferPointer(rebasing: $0.prefix(16))) }
    }

    /// The quota that an entry counts for.
    package func owner(of key: SealTag, _ number: UInt64) -> SealTag {
        all.contains { $0.key == key && $0.oldest <= number } ? key : Self.rest
    }

    /// The one with the most bytes; nil where there is none.
    package var largest: Quota? { all.max { $0.bytes < $1.bytes } }

    /// Counts a new entry.
    package mutating func add(_ key: SealTag, _ bytes: Int, _ number: UInt64) {
        var index = all.firstIndex { $0.key == key }
        let hasRest = all.contains { $0.key == Self.rest }
        if index == nil, all.count >= Self.limit - (hasRest ? 0 : 1) {
            index = all.firstIndex { $0.key == Self.rest }
            if index == nil { all.append(Quota(key: Self.rest, bytes: 0, oldest: number)) }
        } else if index == nil {
            all.append(Quota(key: key, bytes: 0, oldest: number))
        }
        all[index ?? all.count - 1].bytes = UInt32(clamping: Int(all[index ?? all.count - 1].bytes) + bytes)
    }

    /// Subtracts entries that were dropped; a quota without any ends.
    package mutating func subtract(_ owner: SealTag, _ bytes: Int) {
        guard let index = all.firstIndex(where: { $0.key == owner }) else { return }
        all[index].bytes = UInt32(clamping: Int(all[index].bytes) - bytes)
        if all[index].bytes == 0 { all.remove(at: index) }
    }

    /// Records that a quota has no entry in the database before a number.
    package mutating func advance(_ owner: SealTag, to number: UInt64) {
        guard let index = all.firstIndex(where: { $0.key == owner }) else { return }
        all[index].oldest = max(all[index].oldest, number)
    }

    /// Ends a quota of which no entry is found.
    package mutating func end(_ owner: SealTag) { all.removeAll { $0.key == owner } }

    // MARK: - In the root of the manifest

    /// Writes all slots of the table, so that the length does not show how many are used.
    package func write(to writer: inout BinaryWriter) {
        for index in 0..<Self.limit {
            let quota = index < all.count ? all[index] : Quota(key: .none, bytes: 0, oldest: 0)
            writer.put(quota.key)
            writer.put(quota.bytes)
            writer.put(quota.oldest)
        }
    }

    init() {}

    init(from reader: inout BinaryReader) {
        for _ in 0..<Self.limit {
            let key = reader.tag()
            let bytes: UInt32 = reader.integer()
            let quota = Quota(key: key, bytes: bytes, oldest: reader.integer())
            if bytes > 0 { all.append(quota) }
        }
    }
}
