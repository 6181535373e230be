// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension BackupList: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        // A path may be on a disk that takes its time.
        try await modules.vault.workUnlocked(request, modules) { vault throws(VaultError) in
            Answer(
                backups: try vault.backups.list().map { backup in
                    BackupEntry(
                        path: backup.path, made: backup.made?.description, length: backup.length,
                        isAutomatic: backup.isAutomatic)
                })
        }
    }
}
