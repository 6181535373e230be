// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage

/// Opens the vault with a secret that is given, else by asking the user for the passphrase.
extension VaultUnlock: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let unlocked = try await area.care.unlock(proof, request)
        return Answer(changed: unlocked.changed, findings: unlocked.findings, backup: unlocked.backup)
    }
}
