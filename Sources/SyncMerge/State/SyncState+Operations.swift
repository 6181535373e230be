// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension SyncState {
    /// All of it as operations, in an order that depends on the content alone: the content of a snapshot.
    package var operations: [SyncOperation] {
        records.keys.sorted().flatMap { operations(of: $0) }
            + counters.keys.sorted().flatMap { counterOperations(of: $0) }
    }

    /// The counters of one nonce as operations.
    package func counterOperations(of nonce: OneTimeCode.Nonce) -> [SyncOperation] {
        (counters[nonce] ?? [:]).sorted { $0.key < $1.key }.map { device, counter in
            .counter(nonce, counter.value, by: FileOrigin(device: device, sequence: counter.sequence))
        }
    }

    /// One record as operations.
    package func operations(of id: ObjectID) -> [SyncOperation] {
        guard let record = records[id] else { return [] }
        return record.elements.map { .add(id, $0) }
            + record.dead.sorted { $0.key < $1.key }.flatMap { mark, origins in
                origins.sorted().map { .dead(id, mark, by: $0) }
            }
            + record.gone.sorted { $0.key < $1.key }.flatMap { mark, origins in
                origins.sorted().map { .gone(id, mark, by: $0) }
            }
    }
}
