// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge

extension SyncWorld {
    static let sites = ["shop.example", "bank.example", "mail.example"]
    static let users = ["ann", "bob"]
    private static let year: Int64 = 31_536_000_000

    func newID() -> ObjectID { ObjectID.random(.credential, using: &random) }

    /// Two to five machines, a sixth as a clone; most begin with a copy of one vault, which some changed before the first file.
    func start() throws(WorldFault) {
        let vault = (0..<Int.random(in: 0...4, using: &random)).map { _ in newRecord() }
        for key in 0..<Int.random(in: 2...5, using: &random) {
            let skew = pick([0, 0, 1000, -5000, 3_600_000, -9 * Self.year, 9 * Self.year])
            let machine = WorldMachine(self, key: key, skew: skew)
            machines.append(machine)
            views.append(WorldFolder())
            let hasCopy = chance(0.8)
            for record in vault where hasCopy { try adopt(record, on: machine) }
            try machine.noteVersions()
        }
    }

    private func newRecord() -> EarlierRecord {
        let created = Timestamp(milliseconds: time - Int64.random(in: 1_000_000_000...100_000_000_000, using: &random))
        var record = EarlierRecord(
            id: newID(), created: created, changed: created.advanced(byMilliseconds: 20_000), user: pick(Self.users),
            sites: [pick(Self.sites)], password: SyncSecret(newText("base")))
        for former in 0..<pick([0, 1, 3, 10]) {
            let replaced = created.advanced(byMilliseconds: 1000 * Int64(former + 1))
            record.formerPasswords.append(.init(SyncSecret(newText("old")), replaced: replaced))
        }
        record.fields["label"] = SyncSecret(newText("was"))
        if chance(0.4) { record.code = SyncSecret(newText("otp")) }
        if chance(0.3) {
            record.formerCodes = [.init(SyncSecret(newText("otp")), replaced: created.advanced(byMilliseconds: 5000))]
        }
        return record
    }

    private func adopt(_ record: EarlierRecord, on machine: WorldMachine) throws(WorldFault) {
        var record = record
        if chance(0.15) {
            let now = Timestamp(milliseconds: time - Int64.random(in: 1...100_000_000, using: &random))
            record.formerPasswords.append(.init(record.password, replaced: now))
            record.formerPasswords = record.formerPasswords.suffix(Credential.previousLimit)
            record.password = SyncSecret(newText("changed"))
            record.changed = now
        }
        var writer = SyncWriter(
            changing: machine.state, origin: machine.nextOrigin, now: machine.clock, entropy: random)
        writer.adopt(record)
        machine.vault.state = writer.state
        machine.changed.insert(record.id)
        for case .add(let id, let element) in writer.operations {
            let key = StartKey(id: id, kind: element.kind, text: element.value.text, time: element.stamp.time)
            let event = started[key] ?? begin(.start, on: machine)
            started[key] = event
            event.note([.add(id, element)])
            machine.vault.merged.insert(event.number)
            machine.vault.seen.insert(event.number)
        }
        if chance(0.1) { try machine.act(.delete, on: [record.id]) { writer, _ in writer.delete(record.id) } }
    }
}
