// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// Where the chain of the release log begins and ends.
package struct ReleaseHead: Hashable, Sendable {
    /// The number of the oldest entry that is kept, and the tag of the one before it.
    package var first: UInt64 = 1
    package var anchor = SealTag.none
    /// The number that the next entry gets, and the tag of the last one in the database.
    package var next: UInt64 = 1
    package var last = SealTag.none
    /// How many entries the database has, and for which quotas they count. Not in the first format, which has no gaps: there it is
    /// `next` less `first`, and the oldest are dropped first.
    package var count: UInt64 = 0
    package var quotas = ReleaseQuotas()

    package init() {}
}

extension ReleaseHead {
    /// The end of the chain by the rows that can be opened; for a vault whose manifest is damaged.
    package init(reading statements: VaultStatements, key: SecretBytes) throws(VaultError) {
        var head = Self()
        try statements.releases.before.each([.integer(.max)]) { row throws(VaultError) in
            guard let last = ReleaseScan(row.bytes(1), key: key).found.last?.last else { return true }
            (head.next, head.last) = (last.number &+ 1, last.tag)
            return false
        }
        self = head
    }

    /// Seals entries into rows, as the whole chain.
    ///
    /// - Parameter entries: in the order of their numbers. Numbers that no entry has and no gap stands for stay missing.
    package mutating func writeChain(
        of entries: [NumberedContent], key: SecretBytes, _ statements: VaultStatements,
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
        let entries = entries.drop { $0.isGap }
        if let number = entries.first?.number { (first, anchor) = (number, .none) }
        last = .none
        (count, quotas) = (0, ReleaseQuotas())
        var owners = QuotaKeyCache()
        for entry in entries {
            switch entry.content {
            case .release(let release, var link):
                link.previous = last
                let sealed = try ReleaseEntry.seal(
                    release, number: entry.number, after: link, key: key, using: &entropy)
                row += sealed.bytes
                (last, next) = (sealed.tag, entry.number + 1)
                count += 1
                quotas.add(owners[release.app, release.assurance], sealed.bytes.count, entry.number)
            case .gap(let gap):
                let moved = ReleaseGap(first: gap.first, previous: last, last: gap.last, tag: gap.tag)
                row += try ReleaseEntry.seal(moved, key: key, using: &entropy)
                (last, next) = (gap.tag, gap.last + 1)
            }
            start = start ?? entry.number
            if row.count > 64 << 10 { try flush() }
        }
        try flush()
    }
}

/// What is sealed in an entry, and its number.
package struct NumberedContent {
    package let number: UInt64
    package let content: ReleaseEntry.Content

    package init(number: UInt64, content: ReleaseEntry.Content) {
        self.number = number
        self.content = content
    }

    var isGap: Bool { if case .gap = content { true } else { false } }
}
