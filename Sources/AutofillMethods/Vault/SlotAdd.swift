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
        guard var slot = derived.slots.first else { throw Refusal(.internalFault) }
        if let label { slot.label = label }
        let id = try effects.add(slot)
        let report = SlotReport(slot.kind)
        return Answer(slot: Int(id), kind: report.kind, protects: report.protects, recoveryKey: derived.recoveryKey)
    }
}
