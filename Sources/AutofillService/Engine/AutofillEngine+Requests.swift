// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// From a line to an answer.
extension AutofillEngine {
    /// Accepts one line, without its line feed. Its answer is written at once, or when the request has waited.
    ///
    /// - Parameters:
    ///   - descriptor: what came with it: a delegate's `hello` brings the pidfd of the process that it acts for.
    ///   - isEarly: whether it may have been sent before the peer was inspected, which may have been another program then.
    /// - Returns: whether nothing more is to be accepted from the connection for now.
    package func receive(
        _ line: UnsafeRawBufferPointer, from id: SessionID, descriptor: PassedDescriptor? = nil, isEarly: Bool = false
    ) -> Bool {
        guard let session = sessions[id] else { return false }
        if let descriptor { session.arriving.passed = descriptor }
        session.arriving.isEarly = isEarly
        session.arriving.bytes = line.count
        do throws(JSONError) {
            try scanner.scan(line) { value throws(JSONError) in receive(value, from: session) }
        } catch {
            let loose = LooseJSON.read(line)
            let detail = "\(error.problem.message), at byte \(error.offset)"
            reject(loose.id, ProtocolProblem(loose.isJSON ? .jsonNotTaken : .notJSON, detail: detail), session)
        }
        turn.arm()
        return acceptsNothing(from: session)
    }

    private func receive(_ line: JSONValue, from session: Session) {
        do throws(Request.Failure) {
            let request = try Request(line)
            if let id = request.id, session.waiting[id] != nil {
                return reject(id, ProtocolProblem(.idInUse), session)
            }
            vault.retry()
            let isHello = request.method == .hello
            if isHello == (session.app != nil) {
                return reject(request.id, ProtocolProblem(isHello ? .helloRepeated : .helloRequired), session)
            }
            stores.apps.reloadSoon()
            if request.method == .requestCancel { return cancel(request, from: session) }
            methods.start(ReceivedRequest(request: request, session: session), on: self)
        } catch {
            reject(error.id, error.problem, session)
        }
    }

    /// Answers a message that is not well formed.
    func reject(_ id: RequestID?, _ problem: ProtocolProblem, _ session: Session) {
        outbox.write(for: session.id) { $0.reject(id, problem) }
    }

    /// The same for a connection that has sent something that is no line.
    package func reject(_ problem: ProtocolProblem, _ id: SessionID) {
        outbox.write(for: id) { $0.reject(nil, problem) }
        turn.arm()
    }

    /// Reads the parameters, judges, and acts: at once where nothing has to be waited for, else in a task, which begins with waiting.
    package func run<Call: JudgedCall>(_: Call.Type, in area: Call.Area, _ received: ReceivedRequest) {
        accept(received) { (call: Call, request, proof) in
            var missing: Awaited?
            if proof == nil {
                do throws(Unsettled) {
                    return conclude(call, request, try service.decider.attempt(call, in: area, request))
                } catch {
                    switch error {
                    case .refused(let refused): return conclude(request, refused)
                    case .waits(let awaited): missing = awaited
                    }
                }
            }
            start(request) { [missing] () async throws(RefusedRequest) in
                if let proof {
                    try await self.service.proofs.check(proof, request) { () throws(Unsettled) in
                        try call.promptText(area.views)
                    }
                }
                let answer = try await self.service.decider.settle(call, in: area, request, after: missing)
                self.conclude(call, request, answer)
            }
        }
    }

    /// Reads the parameters, then performs long work in a task, which begins at once.
    package func run<Call: AsyncCall>(_: Call.Type, in area: Call.Area, _ received: ReceivedRequest) {
        accept(received) { (call: Call, request, proof) in
            start(request) { () async throws(RefusedRequest) in
                if let proof {
                    try await self.service.proofs.check(proof, request) { () throws(Unsettled) in
                        try call.promptText(area)
                    }
                }
                self.conclude(call, request, try await call.perform(area, request))
            }
        }
    }

    /// Calls `perform` with what a request calls, and the proof that it brings, unless its parameters are refused or it lacks proof.
    /// (No generic type is made of the call: each would cost a request some hundred instructions.)
    private func accept<Call: MethodCall>(
        _ received: ReceivedRequest, _ perform: (Call, RequestContext, Proof?) -> Void
    ) {
        let session = received.session
        guard let id = received.request.id else { return }
        do throws(ProtocolProblem) {
            var reader = MemberReader(received.request.parameters)
            let call = try Call(from: &reader)
            let rest = try self.rest(
                of: &reader, received.request, hasContext: Call.acceptsContext,
                isStrict: session.app?.isStrict ?? (call as? Hello)?.isStrict ?? false)
            let request = RequestContext(session, id, Call.declaration, call.wishedInteraction, page: rest.context)
            request.state.unknown = rest.unknown
            let proof: Proof?
            do throws(RefusedRequest) {
                proof = try service.proofs.proof(call.broughtProof, request)
            } catch { return conclude(request, error) }
            perform(call, request, proof)
        } catch {
            reject(id, error, session)
        }
    }

    private func start(
        _ request: RequestContext, _ body: @escaping () async throws(RefusedRequest) -> Void
    ) {
        request.state.task = Task.immediate {
            do throws(RefusedRequest) { try await body() } catch { self.conclude(request, error) }
        }
        // What need not wait is answered to the end.
        if status.isStopping, request.session.waiting[request.id] === request { stop(request) }
    }

    /// Reads what the call itself has not read of the parameters; what is unknown in them is refused from a strict client, else named
    /// in the answer.
    private func rest(
        of reader: inout MemberReader, _ request: Request, hasContext: Bool, isStrict: Bool
    ) throws(ProtocolProblem) -> (context: PageContext?, unknown: [String]) {
        let context = hasContext ? try reader.context() : nil
        if request.hasNUL { throw ProtocolProblem(.jsonNotTaken, detail: "A string contains U+0000") }
        let unknown = reader.unknown
        if isStrict, let first = unknown.first { throw ProtocolProblem(.parameterUnknown, member: first) }
        return (context, unknown.isEmpty ? [] : unknown.map { "unknown parameter: \($0)" })
    }

    private func conclude<Call: MethodCall>(_: Call, _ request: RequestContext, _ answer: Call.Answer) {
        // What was refused is no use.
        if request.declaration.needsUnlockedVault { vault.noteUse() }
        if endWaiting(request) {
            request.state.isAnswered = true
            let (unknown, noted) = (request.state.unknown, request.notes.warnings)
            outbox.write(for: request.session.id) { writer in
                writer.answer(request.id, answer, warnings: unknown.isEmpty ? noted : unknown + noted)
            }
        }
        stores.audit.noteAnswer(request)
    }

    private func conclude(_ request: RequestContext, _ error: RefusedRequest) {
        refuse(request, error)
        endWaiting(request)
    }

    /// The request waits no more.
    /// - Returns: whether it is to be answered: not where it has an answer already, or its connection has ended.
    @discardableResult
    private func endWaiting(_ request: RequestContext) -> Bool {
        let session = request.session
        if session.waiting[request.id] === request { session.waiting[request.id] = nil }
        turn.arm()
        return !request.state.isAnswered && sessions[session.id] === session
    }

    /// Answers what was refused, and notes it for the journal.
    func refuse(_ request: RequestContext, _ refused: RefusedRequest) {
        let session = request.session
        guard !request.state.isAnswered, sessions[session.id] === session else { return }
        request.state.isAnswered = true
        switch refused {
        case .malformed(let problem): outbox.write(for: session.id) { $0.reject(request.id, problem) }
        case .refused(let refusals):
            if refusals.first?.reason != .cancelled, refusals.first?.reason != .stopping {
                stores.audit.note(refusals, request.method, session, named: request.notes.service)
            }
            outbox.write(for: session.id) { $0.refuse(request.id, refusals) }
        }
    }

    /// Cancels a request that waits: it answers `cancelled`, and has no effect. Work on the vault answers when it
    /// has stopped and is undone; what is done answers its result, when that is complete.
    func cancel(_ request: Request, from session: Session) {
        do throws(ProtocolProblem) {
            var reader = MemberReader(request.parameters)
            let call = try RequestCancel(from: &reader)
            let rest = try self.rest(
                of: &reader, request, hasContext: RequestCancel.acceptsContext, isStrict: session.app?.isStrict ?? false
            )
            let waiting = session.waiting[call.id]
            if let waiting, !waiting.state.isDone {
                if !waiting.state.isWorkingOnVault {
                    session.waiting[call.id] = nil
                    refuse(waiting, RefusedRequest(.cancelled))
                }
                waiting.cancel()
            }
            if let id = request.id {
                outbox.write(for: session.id) { $0.answer(id, Changed(waiting != nil), warnings: rest.unknown) }
            }
        } catch {
            reject(request.id, error, session)
        }
    }
}
