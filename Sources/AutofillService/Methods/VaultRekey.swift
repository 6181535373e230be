// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

extension VaultRekey: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        // Were the answer lost, nothing would open the vault.
        guard secrets.contains(where: { !$0.isDrawn }) else {
            throw .invalid("drawRecoveryKey", "a recovery key beside a passphrase or a key, never alone")
        }
        let derived = try await modules.derive(secrets, request)
        let backups = try await modules.vault.rekey(derived.slots, request, modules)
        return Answer(
            slots: derived.slots.map { SlotReport($0.kind) }, backups: backups, recoveryKey: derived.recoveryKey)
    }
}
