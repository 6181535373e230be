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
        /// The first credentials of this vault that changed.
        var saved: [Saved] = []
    }

    /// Merges the next file, or the next batch of a large one.
    func merge(
        into sync: StoredSync, from spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) -> ArrivedChanges {
        try kept.withLock { kept throws(SyncFailure) in
            var saved: [Saved] = []
            defer { if kept.saved.isEmpty { kept.saved = saved } }
            return try sync.mergeArrived(&kept.arrivals, from: spool, at: now) { saved += $0 }
        }
    }

    /// How many files of others are there that are malformed.
    var malformedCount: Int { kept.withLock { $0.arrivals.malformed.values.reduce(0, +) } }

    /// The next call of `merge` begins with what is there then. Returns the first credentials that changed until then, also where a
    /// call has thrown since, and what copies of other machines have written.
    func beginAgain() -> (saved: [Saved], twins: Set<TwinFiles>) {
        kept.withLock { kept in
            defer { kept = Kept(arrivals: kept.arrivals.begunAgain) }
            return (saved: kept.saved, twins: kept.arrivals.twins)
        }
    }
}
