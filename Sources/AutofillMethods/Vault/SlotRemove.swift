// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension SlotRemove: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> ChangedSlot {
        let former = try await area.care.removeSlot(Slot.ID(slot), request)
        let backups = await area.care.backups(opened: former, request)
        return ChangedSlot(backups: backups.paths, uncheckedBackups: backups.unchecked)
    }
}
