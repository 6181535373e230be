// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What a merge changed: the vault writes these records again, and those that appear as one with them.
package struct MergeChanges: Sendable, Equatable {
    package internal(set) var records: Set<ObjectID> = []
    package internal(set) var counters: Set<OneTimeCode.Nonce> = []
    /// All files have to be merged again.
    package internal(set) var readsAgain = false

    package init(of records: Set<ObjectID> = [], counters: Set<OneTimeCode.Nonce> = []) {
        self.records = records
        self.counters = counters
    }

    package var isEmpty: Bool { records.isEmpty && counters.isEmpty && !readsAgain }
}
