// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The ways to open the vault.
extension AutofillBroker {
    func listSlots(_ call: SlotList, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> SlotList.Answer {
        let open = try vault.unlocked()
        let slots = try attempting { () throws(VaultError) in try open.slots() }
        return SlotList.Answer(slots: slots.map(SlotEntry.init))
    }

    func addSlot(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, SlotAdd.self) { [unowned self] read, writer in
            derive([read.call.secret], for: read, &writer) { [unowned self] slots, recoveryKey, writer in
                finish(read.id, read.call, client, read.warnings, &writer) {
                    [unowned self] call, _ throws(RefusedRequest) in
                    let open = try vault.unlocked()
                    guard let slot = slots.first?.named(call.label) else { throw RefusedRequest(.internalFault) }
                    let id = try attempting { () throws(VaultError) in try open.addSlot(slot, at: now) }
                    let report = SlotReport(slot.kind)
                    return SlotAdd.Answer(
                        slot: Int(id), kind: report.kind, protects: report.protects, recoveryKey: recoveryKey)
                }
                return nil
            }
        }
    }

    func changeSlot(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, SlotChange.self) { [unowned self] read, writer in
            derive([read.call.secret], for: read, &writer) { [unowned self] slots, recoveryKey, writer in
                let (id, label, now) = (Slot.ID(read.call.slot), read.call.label, now)
                // It looks into the backups, wherever they are.
                return work(read, &writer, refusing: \.refusalOfSlot) { vault, _ throws(VaultError) in
                    guard let old = try vault.slots().first(where: { $0.id == id }), let slot = slots.first else {
                        throw .noSuchSlot
                    }
                    let isSameKind = old.kind == slot.kind
                    let new = slot.named(label ?? (isSameKind ? old.label : nil))
                    return ChangedSlot(backups: try vault.changeSlot(id, to: new, at: now), recoveryKey: recoveryKey)
                }
            }
        }
    }

    func removeSlot(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        proven(request, client, &writer, SlotRemove.self) { [unowned self] read, writer in
            let id = Slot.ID(read.call.slot)
            return work(read, &writer, refusing: \.refusalOfSlot) { vault, _ throws(VaultError) in
                ChangedSlot(backups: try vault.removeSlot(id))
            }
        }
    }
}

extension VaultError {
    /// What is told where a slot was named.
    fileprivate var refusalOfSlot: Refusal { self == .noSuchSlot ? Refusal(.slotNotFound) : refusal }
}

extension NewSlot {
    /// Under another label than its kind, where there is one.
    fileprivate func named(_ label: String?) -> NewSlot {
        var slot = self
        if let label { slot.label = label }
        return slot
    }
}

extension SlotEntry {
    fileprivate init(_ slot: Slot) {
        self.init(
            slot: Int(slot.id), kind: slot.kind.name, label: slot.label ?? "", created: slot.created?.description,
            scrypt: slot.cost.map { ScryptCost(n: 1 << Int($0.logN), r: Int($0.r), p: Int($0.p)) },
            isSound: slot.isSound)
    }
}

extension Slot.Kind {
    /// As on the wire.
    var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .key: "key"
        case .recovery: "recoveryKey"
        }
    }
}

extension SlotReport {
    /// What a slot of this kind protects from, and what not, for people.
    init(_ kind: Slot.Kind) {
        let protects =
            switch kind {
            case .passphrase:
                "Whoever has the file and not the passphrase reads nothing, as long as it is hard to guess: each guess "
                    + "costs 128 MiB of memory and some tenths of a second. Forget it, and it opens nothing any more. It "
                    + "does not protect from a program of yours that watches the keyboard."
            case .key:
                "Whoever has the vault and not the key file reads nothing. A key file on the same disk guards only "
                    + "against other users, not against a thief of the disk."
            case .recovery:
                "It opens the vault when the passphrase is forgotten, and cannot be guessed. Whoever finds it and has "
                    + "the file reads everything: write it down on paper, and keep it away from this computer. It is "
                    + "shown this once."
            }
        self.init(kind: kind.name, protects: protects)
    }
}
