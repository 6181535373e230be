// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround
import Testing

@testable import SyncFiles

/// What the vault stores of a record, and of the counters of a nonce.
@Suite("Stored operations")
struct StoredOperationsTests {
    private let id = ObjectID(kind: .credential, high: 1, low: 5)
    private let other = ObjectID(kind: .credential, high: 2, low: 6)

    private func secret(_ text: String) -> SyncSecret { SyncSecret(SecretBytes(utf8: text)) }

    /// Two machines have written to one record, the second one also to another record.
    private func state() -> SyncState {
        var state = SyncState()
        for number: UInt64 in 1...2 {
            let device = DeviceID(rawValue: UInt128(9 - number))
            var writer = SyncWriter(
                changing: state, origin: FileOrigin(device: device, sequence: number),
                now: Timestamp(milliseconds: Int64(number) * 100), entropy: SeededGenerator(seed: number))
            writer.create(id, site: "a.example", user: "ann", password: secret("one \(number)"))
            writer.setCode(secret("otpauth://totp/a?secret=AAAA"), of: id)
            _ = writer.advanceCounter(of: id)
            writer.setField("label", to: secret("label \(number)"), of: id)
            if number == 2 { writer.create(other, site: "b.example", user: "ann", password: secret("other")) }
            state = writer.state
        }
        return state
    }

    @Test("What is stored of a record is read as the operations that the state has of it, and of no other record")
    func record() throws {
        var state = state()
        for id in [id, other] {
            let stored = StoredOperations.bytes(of: id, in: state)
            let operations = try #require(StoredOperations.operations(in: stored))
            #expect(!operations.isEmpty && operations == state.operations(of: id))
        }
        // A record of which only marks are left.
        var writer = SyncWriter(
            changing: state, origin: FileOrigin(device: DeviceID(rawValue: 3), sequence: 1),
            now: Timestamp(milliseconds: 500), entropy: SeededGenerator(seed: 5))
        writer.delete(id)
        writer.purge(id)
        state = writer.state
        let stored = StoredOperations.bytes(of: id, in: state)
        #expect(StoredOperations.operations(in: stored) == state.operations(of: id))
        #expect(!state.contains(id) && !state.operations(of: id).isEmpty)
    }

    @Test("What is stored of a nonce's counters is read as those of all machines")
    func counters() throws {
        let state = state()
        #expect(!state.counters.isEmpty)
        for nonce in state.counters.keys {
            let stored = StoredOperations.bytes(of: nonce, in: state)
            let operations = try #require(StoredOperations.operations(in: stored))
            #expect(operations.count == 2 && operations == state.counterOperations(of: nonce))
        }
    }

    @Test("Of what a state does not have, no entry is stored")
    func absent() {
        let state = SyncState()
        #expect(StoredOperations.operations(in: StoredOperations.bytes(of: id, in: state)) == [])
        #expect(StoredOperations.operations(in: StoredOperations.bytes(of: 7, in: state)) == [])
    }

    @Test("A table has each device once, in their order, whatever the order in which they are named")
    func table() {
        let devices = [5, 2, 9, 2, 5, 1].map { DeviceID(rawValue: $0) }
        #expect(DeviceTable(devices).devices == [1, 2, 5, 9].map { DeviceID(rawValue: $0) })
        #expect(DeviceTable([]).devices.isEmpty)
    }
}
