// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

extension SyncInvite: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        Answer(code: try await area.membership.invite(request))
    }
}

extension SyncAnswer: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let answer = try area.membership.answer(request)
        return Answer(device: answer?.device, name: answer?.name)
    }
}

extension SyncAdmit: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        Changed(try await area.membership.admit(device, accepts: accept, request))
    }
}

extension SyncRename: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        Changed(try await area.membership.rename(to: name, request))
    }
}

extension SyncRemove: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        try await area.membership.remove(device, recoveryKey: recoveryKey, request)
        return Changed(true)
    }
}
