// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// One line a method: from parameters to answer.
extension AutofillBroker {
    func dispatch(_ request: Request, from client: Client, into writer: inout JSONWriter) -> Deferred? {
        vault.refresh(at: now)
        guard Self.rows[request.method] != nil else {
            writer.reject(request.id, ProtocolProblem(.methodUnknown))
            return nil
        }
        switch (request.method, client.app) {
        case (.hello, nil), (_, .some): break
        case (_, nil):
            writer.reject(request.id, ProtocolProblem(.helloRequired))
            return nil
        }
        keepRegistrationsCurrent()
        return switch request.method {
        case .hello: greet(request, client, &writer)
        case .status: run(request, client, &writer, status)
        case .diagnose: run(request, client, &writer, diagnose)
        case .requestCancel: cancel(request, client, &writer)
        case .autofillSuggest: run(request, client, &writer, suggest)
        case .autofillFocus: run(request, client, &writer, focus)
        case .autofillFill: prove(request, client, &writer, fill)
        case .autofillAccept: prove(request, client, &writer, accept)
        case .autofillDecline: prove(request, client, &writer, decline)
        case .autofillSubmitted: run(request, client, &writer, submit)
        case .offerList: prove(request, client, &writer, listOffers)
        case .credentialSave: prove(request, client, &writer, save)
        case .credentialGet: prove(request, client, &writer, get)
        case .credentialList: prove(request, client, &writer, list)
        case .credentialDelete: prove(request, client, &writer, delete)
        case .credentialRestore: prove(request, client, &writer, restore)
        case .codeSet: prove(request, client, &writer, setCode)
        case .codeGet: prove(request, client, &writer, getCode)
        case .codeDelete: prove(request, client, &writer, deleteCode)
        case .codeExport: prove(request, client, &writer, exportCode)
        case .codeOffer: run(request, client, &writer, offerCode)
        case .keychainSet: prove(request, client, &writer, setItem)
        case .keychainGet: prove(request, client, &writer, getItem)
        case .keychainRename: prove(request, client, &writer, renameItem)
        case .keychainDelete: prove(request, client, &writer, deleteItem)
        case .keychainList: prove(request, client, &writer, listItems)
        case .verifierSet: setVerifier(request, client, &writer)
        case .verifierCheck: checkVerifier(request, client, &writer)
        case .verifierDelete: prove(request, client, &writer, deleteVerifier)
        case .verifierExport: prove(request, client, &writer, exportVerifier)
        case .verifierImport: prove(request, client, &writer, importVerifier)
        case .signInStart: startSignIn(request, client, &writer)
        case .signInEnd: run(request, client, &writer, endSignIn)
        case .signInStatus: run(request, client, &writer, signInStatus)
        case .vaultCreate: createVault(request, client, &writer)
        case .vaultUnlock: unlockVault(request, client, &writer)
        case .vaultLock: run(request, client, &writer, lockVault)
        case .vaultCheck: checkVault(request, client, &writer)
        case .vaultBackup: backUpVault(request, client, &writer)
        case .vaultRestore: restoreVault(request, client, &writer)
        case .vaultRekey: rekeyVault(request, client, &writer)
        case .backupList: listBackups(request, client, &writer)
        case .slotList: prove(request, client, &writer, listSlots)
        case .slotAdd: addSlot(request, client, &writer)
        case .slotChange: changeSlot(request, client, &writer)
        case .slotRemove: removeSlot(request, client, &writer)
        case .grantAllow: prove(request, client, &writer, allow)
        case .grantDeny: prove(request, client, &writer, deny)
        case .grantList: prove(request, client, &writer, listGrants)
        case .grantRevoke: prove(request, client, &writer, revoke)
        case .domainList: prove(request, client, &writer, listDomains)
        case .domainGet: prove(request, client, &writer, getDomain)
        case .domainRefresh: prove(request, client, &writer, refreshDomain())
        case .domainApprove: prove(request, client, &writer, approveDomain)
        case .domainDeny: prove(request, client, &writer, denyDomain)
        case .settingList: prove(request, client, &writer, listSettings)
        case .settingGet: prove(request, client, &writer, getSetting)
        case .settingSet: prove(request, client, &writer, setSetting)
        case .eventSubscribe: run(request, client, &writer, subscribe)
        case .releaseList: prove(request, client, &writer, listReleases)
        }
    }

    /// Reads the parameters; what is unknown in them is refused from a strict client, else named in the answer.
    func parameters<Call: MethodCall>(
        of request: Request, for client: Client
    ) throws(ProtocolProblem) -> (call: Call, warnings: [String]) {
        var reader = MemberReader(request.parameters)
        let call = try Call(from: &reader)
        let unknown = reader.unknown
        let isStrict = client.app?.isStrict ?? (call as? Hello)?.isStrict ?? false
        if isStrict, let first = unknown.first { throw ProtocolProblem(.parameterUnknown, member: first) }
        return (call, unknown.map { "unknown parameter: \($0)" })
    }

    /// Reads, performs and answers a call that needs no proof.
    func run<Call: MethodCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        _ perform: @escaping (Call, Client) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: client)
            finish(request.id, call, client, warnings, &writer) { [unowned self] call, client throws(RefusedRequest) in
                try admit(Call.method, isProven: false)
                return try perform(call, client)
            }
        } catch {
            writer.reject(request.id, error)
        }
        return nil
    }

    /// Performs a call whose parameters are read, and writes its answer.
    func finish<Call: MethodCall>(
        _ id: RequestID?, _ call: Call, _ client: Client, _ warnings: [String], _ writer: inout JSONWriter,
        _ perform: @escaping (Call, Client) throws(RefusedRequest) -> Call.Answer
    ) {
        defer { namedDomain = nil }
        do throws(RefusedRequest) {
            acting = id.map { (client.id, $0) }
            defer { acting = nil }
            let answer = try perform(call, client)
            // What was refused is no use.
            if Self.rows[Call.method]?.needsUnlockedVault == true { lastUse = now }
            noteAnswer(Call.method, client)
            if let id { writer.answer(id, answer, warnings: warnings) }
        } catch {
            let error = waiting(for: call, error)
            refuse(id, error, Call.method, client, &writer) { [unowned self, unowned client] writer in
                finish(id, call, client, warnings, &writer, perform)
                return nil
            }
        }
    }

    /// Answers what was refused; what only waits is performed again.
    func refuse(
        _ id: RequestID?, _ refused: RefusedRequest, _ method: Method, _ client: Client, _ writer: inout JSONWriter,
        again: @escaping (inout JSONWriter) -> Deferred?
    ) {
        guard case .waits(let errand) = refused else { return refuse(id, refused, method, client, &writer) }
        park(id, method, client, on: errand, &writer, again: again)
    }

    /// Answers what was refused, and notes it for the journal.
    func refuse(
        _ id: RequestID?, _ refused: RefusedRequest, _ method: Method, _ client: Client, _ writer: inout JSONWriter
    ) {
        switch refused {
        case .malformed(let problem): writer.reject(id, problem)
        case .waits: refuse(id, RefusedRequest(.internalFault), method, client, &writer)
        case .refused(let refusals):
            note(refusals, method, client)
            if let id { writer.refuse(id, refusals) }
        }
    }

    /// Takes back a request that waits: it answers `cancelled`, and nothing comes of it. Work on the vault answers when it
    /// has stopped and is undone.
    private func cancel(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        do throws(ProtocolProblem) {
            let (call, warnings): (RequestCancel, [String]) = try parameters(of: request, for: client)
            let isWaiting = client.waiting.contains(call.id)
            if isWaiting, !stopVaultWork(of: client.id, call.id) {
                client.waiting.remove(call.id)
                waitingRoom.leave { $0.client == client.id && $0.id == call.id }
                writer.refuse(call.id, [Refusal(.cancelled)])
            }
            if let id = request.id { writer.answer(id, Changed(isWaiting), warnings: warnings) }
        } catch {
            writer.reject(request.id, error)
        }
        return nil
    }
}
