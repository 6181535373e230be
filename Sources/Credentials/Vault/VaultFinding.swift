// SPDX-License-Identifier: Apache-2.0

/// One thing that `check` found wrong.
package enum VaultFinding: Hashable, Sendable {
    /// The row was altered, or replaced by another.
    case altered(ObjectID)
    /// An older version of the record was put back.
    case older(ObjectID, found: UInt64, expected: UInt64)
    /// The record is missing; it was last changed at that time.
    case missing(ObjectID, changed: Timestamp)
    /// A record that was removed, or never was one of this vault, is there.
    case unexpected(ObjectID)
    /// The node of the manifest that states which version of the record is the newest cannot be read. It is not returned; a
    /// repair keeps it.
    case unpinned(ObjectID)
    /// The manifest has the record twice.
    case duplicate(ObjectID)
    /// A slot's row was altered; it may open no more.
    case slotAltered(Slot.ID)
    /// A slot was added, removed or replaced while the daemon did not run.
    case slotsChanged
    /// Entries of the release log cannot be read or are missing.
    case releases(first: UInt64, last: UInt64)
    /// The whole vault is an older one, or another that branched off from it: it has so many changes, of as many as were made.
    case rolledBack(found: UInt64, expected: UInt64)
    /// The mark that states how new the vault is was removed or altered.
    case unmarked
    /// The description of a damaged structure of the file: a node of the manifest, a page, an index.
    case damaged(String)

    /// The record that it concerns.
    package var id: ObjectID? {
        switch self {
        case .altered(let id), .older(let id, _, _), .missing(let id, _), .unexpected(let id), .unpinned(let id),
            .duplicate(let id):
            id
        case .slotAltered, .slotsChanged, .releases, .rolledBack, .unmarked, .damaged: nil
        }
    }

    /// Its name, as the quarantine keeps it.
    package var code: String {
        switch self {
        case .altered: "altered"
        case .older: "older"
        case .missing: "missing"
        case .unexpected: "unexpected"
        case .unpinned: "unpinned"
        case .duplicate: "duplicate"
        case .slotAltered, .slotsChanged: "slot"
        case .releases: "releases"
        case .rolledBack: "rollback"
        case .unmarked: "unmarked"
        case .damaged: "damaged"
        }
    }

    /// The vault as a whole may be an older one: nothing is returned.
    package var isOfAge: Bool {
        switch self {
        case .rolledBack, .unmarked: true
        default: false
        }
    }

    /// SQLite's own structure is damaged.
    package var isOfPages: Bool { if case .damaged(let object) = self { object.hasPrefix("database") } else { false } }

    /// What follows from the records, and is made again with them.
    package var isOfLookups: Bool { if case .damaged(let object) = self { object.hasPrefix("look-up") } else { false } }

    package var isOfReleases: Bool { if case .releases = self { true } else { false } }
}
