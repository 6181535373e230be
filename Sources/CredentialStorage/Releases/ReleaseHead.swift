// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// Where the chain of the release log begins and ends.
struct ReleaseHead: Hashable, Sendable {
    /// The number of the oldest entry that is kept, and the tag of the one before it.
    var first: UInt64 = 1
    var anchor = SealTag.none
    /// The number that the next entry gets, and the tag of the last one in the database.
    var next: UInt64 = 1
    var last = SealTag.none
    /// How many entries the database has, and for which quotas they count. Not in the first format, which has no gaps: there it is
    /// `next` less `first`, and the oldest are dropped first.
    var count: UInt64 = 0
    var quotas = ReleaseQuotas()
}

extension ReleaseHead {
    /// The end of the chain by the rows that can be opened; for a vault whose manifest is damaged.
    init(reading statements: VaultStatements, key: SecretBytes) throws(VaultError) {
        var head = Self()
        try statements.releases.before.each([.integer(.max)]) { row throws(VaultError) in
            for entry in ReleaseEntry.all(in: row.bytes(1)).reversed() where entry.open(key: key) != nil {
                (head.next, head.last) = (entry.sequence &+ 1, entry.tag)
                return false
            }
            return true
        }
        self = head
    }

    /// Seals entries into rows, as the whole chain.
    mutating func writeChain(
        of entries: [NumberedRelease], key: SecretBytes, _ statements: VaultStatements,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        var row: [UInt8] = []
        var start: UInt64?
        func flush() throws(VaultError) {
            guard let first = start else { return }
            try statements.releases.insert.run(.integer(Int64(bitPattern: first)), .bytes(row))
            row = []
            start = nil
        }
        if let number = entries.first?.number { (first, anchor) = (number, .none) }
        last = .none
        (count, quotas) = (0, ReleaseQuotas())
        var owners = QuotaKeyCache()
        for entry in entries {
            let release = entry.release
            let sealed = try ReleaseEntry.seal(
                release, number: entry.number, after: last, key: key, using: &entropy)
            start = start ?? entry.number
            row += sealed.bytes
            last = sealed.tag
            next = entry.number + 1
            count += 1
            quotas.add(owners[release.app, release.assurance], sealed.bytes.count, entry.number)
            if row.count > 64 << 10 { try flush() }
        }
        try flush()
    }
}
