// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

extension SyncStart: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let started = try await area.membership.start(at: location, named: name, request)
        return Answer(device: started.device, recoveryKey: started.recoveryKey)
    }
}

extension SyncJoin: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        try await area.membership.join(at: location, code: code, named: name, request)
        return Changed(true)
    }
}

extension SyncStop: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        Changed(try await area.membership.stop(request))
    }
}

extension SyncResume: AsyncCall {
    func perform(_ area: SyncMethods, _ request: RequestContext) async throws(RefusedRequest) -> Changed {
        Changed(try await area.membership.resume(counts, acceptingMissing: acceptsMissing, request))
    }
}
