// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Changes a state as one machine: each function applies its operations to `state` at once and adds them to `operations`, which the
/// machine's next file publishes.
///
/// What is written or deleted through one id is written or deleted on every id of its group, so that each is complete if the group
/// splits.
package struct SyncWriter<Entropy: RandomNumberGenerator> {
    package internal(set) var state: SyncState
    package internal(set) var operations: [SyncOperation] = []
    /// The file that will publish the operations.
    package let origin: FileOrigin
    /// The own clock; stamps are later where what they replace is.
    package let now: Timestamp
    package internal(set) var entropy: Entropy
    /// Whether values are dead as soon as they are written: their record is deleted.
    var buries = false

    /// How many former passwords, and as many former codes, a save leaves.
    package static var historyLimit: Int { Credential.previousLimit }

    package init(changing state: SyncState, origin: FileOrigin, now: Timestamp, entropy: Entropy) {
        self.state = state
        self.origin = origin
        self.now = now
        self.entropy = entropy
    }

    /// The ids to which a change through `id` applies.
    func group(of id: ObjectID) -> [ObjectID] {
        let group = state.group(of: id)
        return group.isEmpty ? [id] : group
    }

    /// The own clock, but later than all elements of these kinds that the records have.
    func time(after kinds: [ElementKind], in ids: [ObjectID]) -> Timestamp {
        var time = now
        for element in ids.lazy.flatMap({ state.records[$0]?.elements ?? [] }) where kinds.contains(element.kind) {
            time = max(time, element.stamp.time.later(by: 1))
        }
        return time
    }

    mutating func emit(_ operation: SyncOperation) {
        state.apply(operation)
        operations.append(operation)
    }

    mutating func add(_ value: ElementValue, to id: ObjectID, at time: Timestamp) {
        add(value, to: id, at: time, random: entropy.next())
    }

    mutating func add(_ value: ElementValue, to id: ObjectID, at time: Timestamp, random: UInt64) {
        let element = Element(stamp: Stamp(time: time, origin: origin, random: random), value: value)
        if buries { emit(.dead(id, element.mark, by: origin)) }
        emit(.add(id, element))
    }

    /// Drops elements for good. Each is named: an element that this machine has not seen stays.
    mutating func drop(_ elements: [Element], of id: ObjectID) {
        for element in elements { emit(.gone(id, element.mark, by: origin)) }
    }
}
