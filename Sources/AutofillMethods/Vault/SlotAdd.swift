// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Reasons

extension SlotAdd: JudgedCall {
    typealias Area = VaultMethods

    func judge(_ views: VaultViews, _ request: RequestView) throws(Unsettled) -> DerivedSlots {
        let derived = try request.slots(from: [secret])
        try views.slots.requireOpenVault()
        return derived
    }

    func act(on derived: DerivedSlots, _ effects: SlotWriter) throws(Refusal) -> Answer {
        guard let slot = derived.slots.first?.named(label) else { throw Refusal(.internalFault) }
        let id = try effects.add(slot)
        let report = SlotReport(slot.kind)
        return Answer(slot: Int(id), kind: report.kind, protects: report.protects, recoveryKey: derived.recoveryKey)
    }
}

extension NewSlot {
    /// Under another label than its kind, where there is one.
    func named(_ label: String?) -> NewSlot {
        var slot = self
        if let label { slot.label = label }
        return slot
    }
}
