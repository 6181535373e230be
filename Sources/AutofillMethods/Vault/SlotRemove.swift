// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension SlotRemove: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> ChangedSlot {
        let id = Slot.ID(slot)
        let former = try await area.care.changeSlots(request) { vault throws(VaultError) in
            try vault.slots.remove(id)
        }
        let backups = await area.care.backups(opened: former, request)
        return ChangedSlot(backups: backups.paths, uncheckedBackups: backups.unchecked)
    }
}
