// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

extension SlotChange: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> ChangedSlot {
        let derived = try await modules.derive([secret], request)
        let (id, label, now, isDrawn) = (Slot.ID(slot), label, modules.clock.now, secret.isDrawn)
        let slots = derived.slots
        // It looks into the backups, wherever they are.
        let backups = try await modules.vault.workUnlocked(request, modules, refusing: \.refusalOfSlot) {
            vault throws(VaultError) in
            let all = try vault.slots.list()
            guard let old = all.first(where: { $0.id == id }), let slot = slots.first else { throw .noSuchSlot }
            // Were the answer with the recovery key lost, nothing would open the vault.
            guard !isDrawn || all.contains(where: { $0.id != id && $0.isSound }) else { throw .lastSlot }
            let isSameKind = old.kind == slot.kind
            return try vault.slots.change(id, to: slot.named(label ?? (isSameKind ? old.label : nil)), at: now)
        }
        modules.terminals.endAll()
        return ChangedSlot(backups: backups, recoveryKey: derived.recoveryKey)
    }
}
