// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What a machine has merged: all operations less what they cancel. Two machines that merged the same operations, in any order and
/// however often, have equal states.
///
/// It may hold the whole vault, or only some records: any set of records that contains, with each record, all that have a login in
/// common with it, behaves as it does within the whole.
package struct SyncState: Sendable {
    package private(set) var records: [ObjectID: SyncRecord] = [:]
    package private(set) var counters: [OneTimeCode.Nonce: [DeviceID: Counter]] = [:]
    /// The last sequence that counts of each removed device.
    package private(set) var cuts: [DeviceID: UInt64] = [:]
    private(set) var index = LoginIndex()

    package init() {}

    /// The counter of a code, as a device published it.
    package struct Counter: Sendable, Equatable {
        package let value: UInt64
        package let sequence: UInt64
    }

    /// The records that have a value; of the others only marks are left.
    package var ids: [ObjectID] { records.filter { !$0.value.elements.isEmpty }.keys.sorted() }

    package func contains(_ id: ObjectID) -> Bool { records[id]?.elements.isEmpty == false }

    /// Whether what this file published counts: a removed device's later files do not, whoever brings their content.
    package func counts(_ origin: FileOrigin) -> Bool {
        cuts[origin.device].map { origin.sequence <= $0 } ?? true
    }

    /// Merges the content of files, in any order. Returns which records and counters it changed.
    @discardableResult
    package mutating func merge(_ operations: some Sequence<SyncOperation>) -> MergeChanges {
        var changes = MergeChanges()
        for operation in operations where insert(operation) {
            switch operation {
            case .add(let id, _), .dead(let id, _, _), .gone(let id, _, _): changes.records.insert(id)
            case .counter(let nonce, _, _): changes.counters.insert(nonce)
            }
        }
        for id in changes.records { index.set(records[id]?.logins ?? [], of: id) }
        return changes
    }

    /// Merges one operation that this machine makes.
    mutating func apply(_ operation: SyncOperation) {
        guard insert(operation) else { return }
        switch operation {
        case .add(_, let element) where !element.value.isOfLogin: break
        case .add(let id, _), .gone(let id, _, _): index.set(records[id]?.logins ?? [], of: id)
        case .dead, .counter: break
        }
    }

    /// Returns whether it changed anything.
    private mutating func insert(_ operation: SyncOperation) -> Bool {
        guard counts(operation.origin) else { return false }
        switch operation {
        case .add(let id, let element): return records[id, default: SyncRecord()].insert(element)
        case .dead(let id, let mark, let origin):
            return records[id, default: SyncRecord()].insertDead(mark, by: origin)
        case .gone(let id, let mark, let origin):
            return records[id, default: SyncRecord()].insertGone(mark, by: origin)
        case .counter(let nonce, let value, let origin):
            let current = counters[nonce]?[origin.device]
            if let current, (current.value, current.sequence) >= (value, origin.sequence) { return false }
            counters[nonce, default: [:]][origin.device] = Counter(value: value, sequence: origin.sequence)
            return true
        }
    }

    /// Sets which files of removed devices count, as `MemberList.cuts` has it, and drops what does not count.
    ///
    /// Where the result's `readsAgain` is true, a removal was revoked or was later than stated: what it had dropped is in files that
    /// were merged before, so all files have to be merged again.
    @discardableResult
    package mutating func setCuts(_ new: [DeviceID: UInt64]) -> MergeChanges {
        var changes = MergeChanges()
        let old = cuts
        guard new != old else { return changes }
        changes.readsAgain = old.contains { device, last in new[device].map { $0 > last } ?? true }
        cuts = new
        let counts = counts
        for id in Array(records.keys) where records[id]?.keep(counts) == true {
            if records[id]?.isEmpty == true { records[id] = nil }
            changes.records.insert(id)
            index.set(records[id]?.logins ?? [], of: id)
        }
        for (nonce, values) in counters {
            let kept = values.filter { counts(FileOrigin(device: $0.key, sequence: $0.value.sequence)) }
            if kept.count < values.count { changes.counters.insert(nonce) }
            counters[nonce] = kept.isEmpty ? nil : kept
        }
        return changes
    }
}

extension SyncState: Equatable {
    package static func == (left: SyncState, right: SyncState) -> Bool {
        left.cuts == right.cuts && left.counters == right.counters && left.records == right.records
    }
}
