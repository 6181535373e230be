// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Synchronization

/// What the exchange knows of files that arrived. The thread that has the vault changes it in its place: a copy for each file would be
/// as long as the list of all files.
final class KeptArrivals: Sendable {
    private let kept = Mutex(Kept())

    private struct Kept {
        var arrivals = SyncArrivals()
        /// Whether a credential of this vault has changed.
        var isChanged = false
    }

    /// Merges the next file, or the next batch of a large one.
    func merge(
        into sync: StoredSync, from spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) -> ArrivedChanges {
        try kept.withLock { kept throws(SyncFailure) in
            var isChanged = false
            defer { kept.isChanged = kept.isChanged || isChanged }
            return try sync.mergeArrived(&kept.arrivals, from: spool, at: now) { isChanged = isChanged || !$0.isEmpty }
        }
    }

    /// How many files of others are there that are malformed.
    var malformedCount: Int { kept.withLock { $0.arrivals.malformed.values.reduce(0, +) } }

    /// The next call of `merge` begins with what is there then. Returns whether a credential has changed until then, also where a call
    /// has thrown since, and what copies of other machines have written.
    func beginAgain() -> (isChanged: Bool, twins: Set<TwinFiles>) {
        kept.withLock { kept in
            defer { kept = Kept(arrivals: kept.arrivals.begunAgain) }
            return (isChanged: kept.isChanged, twins: kept.arrivals.twins)
        }
    }
}
