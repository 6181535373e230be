// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

/// The ways to open the vault.
extension SlotList: JudgedCall {
    typealias Area = VaultMethods
    typealias Decision = Answer

    func judge(_ views: VaultViews, _ request: RequestView) throws(Unsettled) -> Answer {
        Answer(slots: try views.slots.slots().map(SlotEntry.init))
    }
}

extension SlotEntry {
    init(_ slot: Slot) {
        self.init(
            slot: Int(slot.id), kind: slot.kind.name, label: slot.label ?? "", created: slot.created?.description,
            scrypt: slot.cost.map { ScryptCost(n: 1 << Int($0.logN), r: Int($0.r), p: Int($0.p)) },
            isIntact: slot.isIntact)
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
