// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity
package import Prompting
internal import Reasons
internal import Settings

/// Asking the person about an app or a request: what is asked, and what comes of the answer.
extension AutofillBroker {
    /// What a request gets for which the person has to be asked about an app: it waits, or a reason.
    ///
    /// - Parameters:
    ///   - detail: why it has to be asked, where that is not plain.
    ///   - unasked: what it gets where nobody can be asked.
    func asking(
        _ matter: ConsentQuestion.Matter, _ client: Client, _ service: Service, detail: String = "", unasked: Refusal
    ) throws(RefusedRequest) -> RefusedRequest {
        guard configuration.consent.canConfirm else { return RefusedRequest([unasked]) }
        let subject = try subject(of: client)
        let question = ConsentQuestion(
            matter: matter, subject: subject, service: service, memory: memory(of: matter, subject), detail: detail,
            evidence: evidence(of: client), unasked: unasked)
        if let wait = denials.remaining(of: .consent(question), at: now) {
            return RefusedRequest([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
        }
        return asking(.consent(question))
    }

    /// The person's word could not be kept. Where the vault is away for the moment, the requests start anew.
    private func end(_ errand: Errand, after error: RefusedRequest) {
        switch error {
        case .refused(let refusals): end(errand, refusing: refusals)
        case .waits: end(errand)
        case .malformed: end(errand, refusing: [Refusal(.internalFault)])
        }
    }

    private func asking(_ errand: Errand) -> RefusedRequest {
        guard waitingRoom.isAwaited(errand) || waitingRoom.promptCount < Limits.waitingPrompts else {
            return RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: 5000)])
        }
        return .waits(on: errand)
    }

    /// For how long a yes can be remembered, in words.
    private func memory(of matter: ConsentQuestion.Matter, _ subject: Subject) -> String? {
        switch matter {
        case .save: nil
        case .approval: "from now on"
        case .fill where asksEveryTime || Peer.isPassing(subject.executable): nil
        case .fill: subject.executable.hasPrefix("login:") ? "until you log out" : "from now on"
        }
    }

    private func evidence(of client: Client) -> PromptedEvidence {
        let app = client.app?.bundleID
        return PromptedEvidence(
            name: registration(of: client)?.name.text, bundleID: app?.text ?? "",
            assurance: (try? client.app?.identity.get())?.assurance, peer: client.peer.evidence)
    }

    /// The person has answered a question about an app. nil: nobody could be asked.
    package func conclude(_ question: ConsentQuestion, with answer: ConsentAnswer?) {
        let errand = Errand.consent(question)
        do throws(RefusedRequest) {
            switch answer {
            case nil: end(errand, refusing: [question.unasked])
            case .once: end(errand, allowing: question.allowance)
            case .allow:
                try remember(.allow, question)
                end(errand, allowing: question.allowance)
            case .deny:
                denials.note(.consent(question), at: now)
                let wait = Int64(Limits.denialMilliseconds)
                end(errand, refusing: [Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
            case .never:
                try remember(.deny, question)
                end(errand, refusing: [Refusal(question.refusalForGood, question.names)])
            }
        } catch {
            end(errand, after: error)
        }
    }

    private func remember(_ decision: Grant.Decision, _ question: ConsentQuestion) throws(RefusedRequest) {
        switch question.matter {
        case .fill where decision == .allow && asksEveryTime: break
        case .fill: _ = try remember(decision, question.subject, question.service)
        case .save: if decision == .deny { try neverSave(of: question.subject) }
        case .approval:
            guard let app = try? BundleIdentifier(question.subject.app) else { return }
            try decide(DomainDecision(decision == .allow ? .approve : .deny, at: now), app, question.service.value)
        }
    }

    /// What a request gets whose proof is to be a prompt: it waits, or a reason.
    func askingApproval<Call: ProvableCall>(
        _ call: Call, _ id: RequestID, _ client: Client
    ) throws(RefusedRequest) -> RefusedRequest {
        guard configuration.consent.canConfirm else { return RefusedRequest(.proofRequired) }
        if let wait = denials.remaining(of: .approval(program: client.program), at: now) {
            return RefusedRequest([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
        }
        let evidence = evidence(of: client)
        let deed = try deed(of: call)
        return asking(
            .approval(
                Approval(
                    client: client.id, request: id, bundleID: client.app?.bundleID.text ?? "",
                    prompt: Prompt(
                        title: "Password AutoFill",
                        description: "\(evidence.name) wants to \(deed).\n\n\(evidence.lines)",
                        kind: .confirm(yes: "Allow", no: "Do not allow")))))
    }

    /// The person has said whether a request may administer. nil: nobody could be asked.
    package func conclude(_ approval: Approval, isApproved: Bool?) {
        let errand = Errand.approval(approval)
        switch isApproved {
        case nil: end(errand, refusing: [Refusal(.proofRequired)])
        case true: end(errand)
        case false:
            if let client = clients[approval.client] { denials.note(.approval(program: client.program), at: now) }
            let wait = Int64(Limits.denialMilliseconds)
            end(errand, refusing: [Refusal(.consentDenied, retryAfterMilliseconds: wait)])
        }
    }

    /// Takes the prompts of programs away that have ended: a child may still hold their connection open.
    package func endPromptsOfEnded() {
        for client in waitingRoom.waitingClients {
            guard let peer = clients[client]?.peer else { continue }
            do throws(PeerRefusal) {
                try peer.confirm()
            } catch {
                guard case .ended = error else { continue }
                end(where: { $0.client == client }, refusing: [Refusal(.peerEnded)])
            }
        }
    }

    /// Something that the person was to be asked, and why that could not be.
    package func noteUnavailable(_ why: String) {
        log(.warning, "[AutoFill] Cannot ask the user: \(why)")
    }
}

extension ConsentQuestion {
    /// What a request gets where the person's no is remembered.
    fileprivate var refusalForGood: Reason {
        switch matter {
        case .fill: .grantDenied
        case .save: .saveDisabled
        case .approval: .approvalDenied
        }
    }
}

extension Client {
    /// The program, as far as it can be told from another one.
    fileprivate var program: String { peer.evidence.executable.path ?? peer.passingName }
}
