// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension SlotChange: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> ChangedSlot {
        let derived = try await area.care.derive([secret], request)
        let former = try await area.care.changeSlot(Slot.ID(slot), to: derived, label: label, request)
        let backups = await area.care.backups(opened: former, request)
        return ChangedSlot(
            backups: backups.paths, uncheckedBackups: backups.unchecked, recoveryKey: derived.recoveryKey)
    }
}
