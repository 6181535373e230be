// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround

/// One machine of a directed test, with a clock that is set by hand.
final class VaultCopy {
    var state = SyncState()
    let device: DeviceID
    var sequence: UInt64 = 0
    var clock: Int64 = 1_800_000_000_000
    private var random: SeededGenerator

    init(_ device: UInt64) {
        self.device = DeviceID(rawValue: UInt128(device))
        random = SeededGenerator(seed: device)
    }

    /// Writes one file; returns its content.
    @discardableResult
    func change(_ body: (inout SyncWriter<SeededGenerator>) -> Void) -> [SyncOperation] {
        sequence += 1
        clock += 1000
        var writer = SyncWriter(
            changing: state, origin: FileOrigin(device: device, sequence: sequence),
            now: Timestamp(milliseconds: clock), entropy: SeededGenerator(seed: random.next()))
        body(&writer)
        state = writer.state
        return writer.operations
    }

    func merge(_ others: VaultCopy...) {
        for other in others {
            state.setCuts(state.cuts.merging(other.state.cuts) { min($0, $1) })
            state.merge(other.state.operations)
        }
    }

    func view(_ id: ObjectID) -> RecordView? { state.view(of: id) }

    func save(_ id: ObjectID, _ password: String, site: String = "shop.example", user: String = "ann") {
        change {
            if $0.state.contains(id) {
                $0.setPassword(SyncSecret(password), site: site, user: user, of: id)
            } else {
                $0.create(id, site: site, user: user, password: SyncSecret(password))
            }
        }
    }

    func setField(_ name: String, _ text: String, of id: ObjectID) {
        change { $0.setField(name, to: SyncSecret(text), of: id) }
    }
}

/// Merges all into all.
func exchange(_ copies: VaultCopy...) {
    for copy in copies { for other in copies where other !== copy { copy.merge(other) } }
}

/// The ids of the directed tests, ascending.
func id(_ number: UInt64) -> ObjectID { ObjectID(kind: .credential, high: 0, low: number) }
