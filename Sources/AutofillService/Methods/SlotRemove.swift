// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

extension SlotRemove: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> ChangedSlot {
        let id = Slot.ID(slot)
        let backups = try await modules.vault.workUnlocked(request, modules, refusing: \.refusalOfSlot) {
            vault throws(VaultError) in
            try vault.slots.remove(id)
        }
        modules.terminals.endAll()
        return ChangedSlot(backups: backups)
    }
}
