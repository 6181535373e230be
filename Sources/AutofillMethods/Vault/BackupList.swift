// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension BackupList: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let backups = try await area.care.backups(request)
        return Answer(
            backups: backups.map { backup in
                BackupEntry(
                    path: backup.path, made: backup.made?.description, length: backup.length,
                    isAutomatic: backup.isAutomatic)
            })
    }
}
