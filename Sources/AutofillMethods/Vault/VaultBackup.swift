// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage

extension VaultBackup: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let report = try await area.care.backUp(to: path, request)
        return Answer(path: path, length: report.length, records: report.records ?? 0)
    }
}
