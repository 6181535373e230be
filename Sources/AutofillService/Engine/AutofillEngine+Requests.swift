// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// From a line to an answer.
extension AutofillEngine {
    /// Takes one line, without its line feed. Its answer is written at once, or when the request has waited.
    ///
    /// - Parameters:
    ///   - descriptor: what came with it: a delegate's `hello` brings the pidfd of the process that it speaks for.
    ///   - isEarly: whether it may have been sent before the peer was looked at, which may have been another program then.
    package func receive(
        _ line: UnsafeRawBufferPointer, from id: SessionID, descriptor: PassedDescriptor? = nil, isEarly: Bool = false
    ) {
        guard let session = sessions[id] else { return }
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
        modules.surroundings.turn.arm()
    }

    private func receive(_ line: JSONValue, from session: Session) {
        do throws(Request.Failure) {
            let request = try Request(line)
            if let id = request.id, session.waiting[id] != nil {
                return reject(id, ProtocolProblem(.idInUse), session)
            }
            modules.vault.retry()
            switch (request.method, session.app) {
            case (.hello, .some): return reject(request.id, ProtocolProblem(.helloRepeated), session)
            case (.hello, nil), (_, .some): break
            case (_, nil): return reject(request.id, ProtocolProblem(.helloRequired), session)
            }
            modules.apps.lookSoon()
            dispatch(request, from: session)
        } catch {
            reject(error.id, error.problem, session)
        }
    }

    /// Answers a message that is not well formed.
    func reject(_ id: RequestID?, _ problem: ProtocolProblem, _ session: Session) {
        outbox.write(for: session.id) { $0.reject(id, problem) }
    }

    /// The same for a connection that has sent what is no line.
    package func reject(_ problem: ProtocolProblem, _ id: SessionID) {
        outbox.write(for: id) { $0.reject(nil, problem) }
        modules.surroundings.turn.arm()
    }

    /// Reads the parameters, then performs the call: here and now where nothing has to be waited for, else in a task of its own,
    /// which begins at once.
    func start<Call: ServedCall>(_: Call.Type, _ request: Request, _ session: Session) {
        guard let id = request.id else { return }
        do throws(ProtocolProblem) {
            let (call, warnings): (Call, [String]) = try parameters(of: request, for: session)
            let wish = (call as? any InteractingCall)?.interaction
            let context = RequestContext(session, id, Call.method, wish)
            if let page = (call as? any PageBoundCall)?.context { context.place.page = page }
            if answersAtOnce(call, context, warnings) { return }
            context.progress.task = Task.immediate { await self.serve(call, context, warnings) }
            // What need not wait is answered to the end.
            if life.isStopping, session.waiting[id] === context { stop(context) }
        } catch {
            reject(id, error, session)
        }
    }

    /// Reads the parameters; what is unknown in them is refused from a strict client, else named in the answer.
    func parameters<Call: MethodCall>(
        of request: Request, for session: Session
    ) throws(ProtocolProblem) -> (call: Call, warnings: [String]) {
        var reader = MemberReader(request.parameters)
        let call = try Call(from: &reader)
        if request.hasNUL { throw ProtocolProblem(.jsonNotTaken, detail: "A string contains U+0000") }
        let unknown = reader.unknown
        let isStrict = session.app?.isStrict ?? (call as? Hello)?.isStrict ?? false
        if isStrict, let first = unknown.first { throw ProtocolProblem(.parameterUnknown, member: first) }
        return (call, unknown.map { "unknown parameter: \($0)" })
    }

    /// Answers a request that brings no proof and need not wait; else nothing was done, and it is judged anew in its task.
    private func answersAtOnce<Call: ServedCall>(_ call: Call, _ request: RequestContext, _ warnings: [String]) -> Bool
    {
        do throws(RefusedRequest) {
            guard try modules.proof(of: call, request) == nil, let answer = try call.performAtOnce(request, modules)
            else {
                return false
            }
            conclude(call, request, answer, warnings)
        } catch {
            conclude(request, error)
        }
        return true
    }

    /// One request from its parameters to its answer.
    private func serve<Call: ServedCall>(_ call: Call, _ request: RequestContext, _ warnings: [String]) async {
        do throws(RefusedRequest) {
            try await modules.prove(call, request)
            conclude(call, request, try await call.perform(request, modules), warnings)
        } catch {
            conclude(request, error)
        }
    }

    private func conclude<Call: ServedCall>(
        _ call: Call, _ request: RequestContext, _ answer: Call.Answer, _ warnings: [String]
    ) {
        // What was refused is no use.
        if Call.declaration.needsUnlockedVault { modules.vault.noteUse() }
        finish(request) { writer in writer.answer(request.id, answer, warnings: warnings + request.place.warnings) }
        modules.audit.noteAnswer(request)
    }

    private func conclude(_ request: RequestContext, _ error: RefusedRequest) {
        refuse(request, error)
        finish(request) { _ in }
    }

    /// Writes the answer, unless the request has one already or its connection has ended.
    private func finish(_ request: RequestContext, _ write: (inout JSONWriter) -> Void) {
        let session = request.session
        if session.waiting[request.id] === request { session.waiting[request.id] = nil }
        modules.surroundings.turn.arm()
        guard !request.progress.isAnswered, sessions[session.id] === session else { return }
        request.progress.isAnswered = true
        outbox.write(for: session.id, write)
    }

    /// Answers what was refused, and notes it for the journal.
    func refuse(_ request: RequestContext, _ refused: RefusedRequest) {
        let session = request.session
        guard !request.progress.isAnswered, sessions[session.id] === session else { return }
        request.progress.isAnswered = true
        switch refused {
        case .malformed(let problem): outbox.write(for: session.id) { $0.reject(request.id, problem) }
        case .waits: outbox.write(for: session.id) { $0.refuse(request.id, [Refusal(.internalFault)]) }
        case .refused(let refusals):
            if refusals.first?.reason != .cancelled, refusals.first?.reason != .stopping {
                modules.audit.note(refusals, request.method, session, named: request.place.service)
            }
            outbox.write(for: session.id) { $0.refuse(request.id, refusals) }
        }
    }

    /// Takes back a request that waits: it answers `cancelled`, and nothing comes of it. Work on the vault answers when it
    /// has stopped and is undone.
    func cancel(_ request: Request, from session: Session) {
        do throws(ProtocolProblem) {
            let (call, warnings): (RequestCancel, [String]) = try parameters(of: request, for: session)
            let waiting = session.waiting[call.id]
            if let waiting {
                if !waiting.progress.isWorkingOnVault {
                    session.waiting[call.id] = nil
                    refuse(waiting, RefusedRequest(.cancelled))
                }
                waiting.cancel()
            }
            if let id = request.id {
                outbox.write(for: session.id) { $0.answer(id, Changed(waiting != nil), warnings: warnings) }
            }
        } catch {
            reject(request.id, error, session)
        }
    }
}
