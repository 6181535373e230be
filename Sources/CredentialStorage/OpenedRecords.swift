// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// How much of the vault was opened since it was unlocked: what that costs is little else than their bytes.
struct OpenedRecords {
    /// Each record counts for `VaultLimits.recordCost` more than it is long.
    private(set) var bytes = 0
    /// How many they were when the turn under way began.
    var turn: Int?
    /// Whether lists end with that turn's bytes.
    var endsPages = false

    mutating func note(_ length: Int) { bytes += length + VaultLimits.recordCost }
}

/// The vault's share of a turn of the event loop: what is looked through in one is bounded by what is opened for it.
extension Vault {
    /// Bytes of records that were opened since the unlock, as `VaultLimits.turnBytes` counts them.
    package var openedBytes: Int { unlockedParts?.reads.opened.bytes ?? 0 }

    /// A decision begins: what is opened from here to `endTurn` counts together.
    ///
    /// - Parameter endsPages: whether its lists end with a turn's bytes, as those do that are answered page by page. What a decision
    ///   goes by it sees whole.
    package func beginTurn(endsPages: Bool) {
        guard let parts = unlockedParts else { return }
        (parts.reads.opened.turn, parts.reads.opened.endsPages) = (parts.reads.opened.bytes, endsPages)
    }

    package func endTurn() { unlockedParts?.reads.opened.turn = nil }

    /// What `OpenedRecords.bytes` come to when a page that begins now is full; outside of a turn each has a turn's bytes of its own.
    func pageEnd(_ parts: UnlockedVault) -> Int {
        guard let turn = parts.reads.opened.turn else { return parts.reads.opened.bytes + limits.turnBytes }
        return parts.reads.opened.endsPages ? turn + limits.turnBytes : .max
    }

    /// Opens records by their ids as far as a page goes: one at least, up to `limit`, and no more bytes than a turn may. One that is
    /// damaged is left out.
    func page<Record: VaultRecord>(
        of ids: [ObjectID], limit: Int, _ parts: UnlockedVault, _ statements: VaultStatements, as _: Record.Type
    ) throws(VaultError) -> VaultPage<Record, ObjectID> {
        let end = pageEnd(parts)
        var found: [Record] = []
        var last: ObjectID?
        for id in ids.prefix(limit) {
            guard last == nil || parts.reads.opened.bytes < end else { return VaultPage(elements: found, next: last) }
            let record: Record?? = try sound { () throws(VaultError) in try fetch(id, parts, statements) }
            if let record = record ?? nil { found.append(record) }
            last = id
        }
        return VaultPage(elements: found, next: ids.count > limit ? last : nil)
    }
}
