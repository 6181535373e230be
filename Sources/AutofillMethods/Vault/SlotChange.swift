// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension SlotChange: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> ChangedSlot {
        let derived = try await area.care.derive([secret], request)
        let (id, label, isDrawn) = (Slot.ID(slot), label, secret.isDrawn)
        let (slots, now) = (derived.slots, area.care.now)
        let former = try await area.care.changeSlots(request) { vault throws(VaultError) in
            let all = try vault.slots.list()
            guard let old = all.first(where: { $0.id == id }), let slot = slots.first else { throw .noSuchSlot }
            // Were the answer with the recovery key lost, nothing would open the vault.
            guard !isDrawn || all.contains(where: { $0.id != id && $0.isIntact }) else { throw .lastSlot }
            let isSameKind = old.kind == slot.kind
            return try vault.slots.change(id, to: slot.named(label ?? (isSameKind ? old.label : nil)), at: now)
        }
        let backups = await area.care.backups(opened: former, request)
        return ChangedSlot(
            backups: backups.paths, uncheckedBackups: backups.unchecked, recoveryKey: derived.recoveryKey)
    }
}
