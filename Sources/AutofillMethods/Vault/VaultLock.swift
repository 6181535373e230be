// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

extension VaultLock: AsyncCall {
    func perform(_ area: VaultMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        Changed(try await area.care.lock(request))
    }
}
