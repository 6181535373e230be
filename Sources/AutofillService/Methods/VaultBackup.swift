// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

extension VaultBackup: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        let report = try await modules.vault.backUp(to: path, request, modules)
        return Answer(path: path, length: report.length, records: report.records ?? 0)
    }
}
