// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension BackupList: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        // A path may be on a slow disk.
        try await area.care.workUnlocked(request) { vault throws(VaultError) in
            Answer(
                backups: try vault.backups.list().map { backup in
                    BackupEntry(
                        path: backup.path, made: backup.made?.description, length: backup.length,
                        isAutomatic: backup.isAutomatic)
                })
        }
    }
}
