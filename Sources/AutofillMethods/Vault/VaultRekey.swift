// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage

extension VaultRekey: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        // Were the answer lost, nothing would open the vault.
        guard secrets.contains(where: { !$0.isDrawn }) else {
            throw .invalid("drawRecoveryKey", "a recovery key beside a passphrase or a key, never alone")
        }
        let derived = try await area.care.derive(secrets, request)
        let former = try await area.care.rekey(derived.slots, request)
        let backups = await area.care.backups(opened: former, request)
        return Answer(
            slots: derived.slots.map { SlotReport($0.kind) }, backups: backups.paths,
            uncheckedBackups: backups.unchecked, recoveryKey: derived.recoveryKey)
    }
}
