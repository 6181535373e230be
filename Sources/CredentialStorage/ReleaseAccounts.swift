// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// How much of the record of releases each app has, so that who fills it loses its own entries and nobody else's.
///
/// An account is an app at one assurance. Those that come when all places are taken share the account `rest`.
struct ReleaseAccounts: Hashable, Sendable {
    /// How many there are at most, that of the rest included.
    static let limit = 32
    static let rest = SealTag.none

    struct Account: Hashable, Sendable {
        var name: SealTag
        /// How much of the database its entries take.
        var bytes: UInt32
        /// None of its entries in the database has a lower number.
        var oldest: UInt64
    }

    private(set) var all: [Account] = []

    /// The account of an app: the first half of SHA-256(length (4) ‖ app ‖ assurance).
    static func name(app: String, assurance: String) -> SealTag {
        var hash = SHA256()
        withUnsafeBytes(of: UInt32(app.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
        for text in [app, assurance] { hash.update(data: Array(text.utf8)) }
        return hash.finalize().withUnsafeBytes { SealTag(UnsafeRawBufferPointer(rebasing: $0.prefix(16))) }
    }

    /// Whose account an entry is on.
    func owner(of name: SealTag, _ number: UInt64) -> SealTag {
        all.contains { $0.name == name && $0.oldest <= number } ? name : Self.rest
    }

    /// The one that has the most; nil where none has any.
    var largest: Account? { all.max { $0.bytes < $1.bytes } }

    /// Puts a new entry on an account.
    mutating func add(_ name: SealTag, _ bytes: Int, _ number: UInt64) {
        var place = all.firstIndex { $0.name == name }
        let hasRest = all.contains { $0.name == Self.rest }
        if place == nil, all.count >= Self.limit - (hasRest ? 0 : 1) {
            place = all.firstIndex { $0.name == Self.rest }
            if place == nil { all.append(Account(name: Self.rest, bytes: 0, oldest: number)) }
        } else if place == nil {
            all.append(Account(name: name, bytes: 0, oldest: number))
        }
        all[place ?? all.count - 1].bytes = UInt32(clamping: Int(all[place ?? all.count - 1].bytes) + bytes)
    }

    /// Takes entries off an account; one without any ends.
    mutating func subtract(_ owner: SealTag, _ bytes: Int) {
        guard let place = all.firstIndex(where: { $0.name == owner }) else { return }
        all[place].bytes = UInt32(clamping: Int(all[place].bytes) - bytes)
        if all[place].bytes == 0 { all.remove(at: place) }
    }

    /// Notes that an account has nothing in the database before a number.
    mutating func advance(_ owner: SealTag, to number: UInt64) {
        guard let place = all.firstIndex(where: { $0.name == owner }) else { return }
        all[place].oldest = max(all[place].oldest, number)
    }

    /// Ends an account of which nothing is found.
    mutating func end(_ owner: SealTag) { all.removeAll { $0.name == owner } }

    // MARK: - In the root of the manifest

    /// All places, so that the length does not tell how many are taken.
    func write(to writer: inout BinaryWriter) {
        let empty = Account(name: .none, bytes: 0, oldest: 0)
        for place in 0..<Self.limit {
            let account = place < all.count ? all[place] : empty
            writer.put(account.name)
            writer.put(account.bytes)
            writer.put(account.oldest)
        }
    }

    init() {}

    init(from reader: inout BinaryReader) {
        for _ in 0..<Self.limit {
            let name = reader.tag()
            let bytes: UInt32 = reader.integer()
            let account = Account(name: name, bytes: bytes, oldest: reader.integer())
            if bytes > 0 { all.append(account) }
        }
    }
}
