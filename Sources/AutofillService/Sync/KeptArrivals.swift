// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Synchronization

/// What the exchange knows of files that arrived. The thread that has the vault changes it in its place: a copy for each file would be
/// as long as the list of all files.
final class KeptArrivals: Sendable {
    private let arrivals = Mutex(SyncArrivals())

    /// Merges the next file, or the next batch of a large one.
    func merge(
        into sync: StoredSync, from spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) -> ArrivedChanges {
        try arrivals.withLock { arrivals throws(SyncFailure) in
            try sync.mergeArrived(&arrivals, from: spool, at: now)
        }
    }

    /// How many files of others are there that are malformed.
    var malformedCount: Int { arrivals.withLock { $0.malformed.values.reduce(0, +) } }

    /// The next call of `merge` begins with what is there then. Returns what copies of other machines have written.
    func beginAgain() -> Set<TwinFiles> {
        arrivals.withLock { arrivals in
            defer { arrivals = arrivals.begunAgain }
            return arrivals.twins
        }
    }
}
