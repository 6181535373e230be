// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Reasons

extension VaultCreate: JudgedCall {
    typealias Area = VaultMethods

    func judge(_ views: VaultViews, _ request: RequestView) throws(Unsettled) -> DerivedSlots {
        try request.requireOutsideSandbox()
        try views.slots.requireMissingVault()
        return try request.slots(from: secrets)
    }

    func act(on derived: DerivedSlots, _ effects: SlotWriter) throws(Refusal) -> Answer {
        try effects.createVault(derived)
        return Answer(slots: derived.slots.map { SlotReport($0.kind) }, recoveryKey: derived.recoveryKey)
    }
}
