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
    func asking(_ client: Client, _ subject: Subject, _ service: Service) -> RefusedRequest {
        let names: [Refusal.Parameter: String] = [.app: subject.app, .domain: service.value]
        guard configuration.consent.canConfirm else { return RefusedRequest(.grantMissing, names) }
        let question = question(client, subject, service)
        if let wait = denials.remaining(of: .consent(question), at: now) {
            return RefusedRequest([Refusal(.consentDenied, names, retryAfterMilliseconds: wait)])
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

    private func question(_ client: Client, _ subject: Subject, _ service: Service) -> ConsentQuestion {
        let memory: String? =
            if asksEveryTime || Peer.isPassing(subject.executable) {
                nil
            } else if subject.executable.hasPrefix("login:") {
                "until you log out"
            } else {
                "from now on"
            }
        return ConsentQuestion(subject: subject, service: service, memory: memory, evidence: evidence(of: client))
    }

    private func evidence(of client: Client) -> PromptedEvidence {
        let app = client.app?.bundleID
        return PromptedEvidence(
            name: app.flatMap { configuration.registrations.catalog[$0]?.name.text }, bundleID: app?.text ?? "",
            assurance: (try? client.app?.identity.get())?.assurance, peer: client.peer.evidence)
    }

    /// The person has said whether an app may be given what is saved for a service. nil: nobody could be asked.
    package func conclude(_ question: ConsentQuestion, with answer: ConsentAnswer?) {
        let errand = Errand.consent(question)
        let names: [Refusal.Parameter: String] = [.app: question.subject.app, .domain: question.service.value]
        switch answer {
        case nil: end(errand, refusing: [Refusal(.grantMissing, names)])
        case .deny:
            denials.note(.consent(question), at: now)
            let wait = Int64(Limits.denialMilliseconds)
            end(errand, refusing: [Refusal(.consentDenied, names, retryAfterMilliseconds: wait)])
        case .never:
            do throws(RefusedRequest) {
                _ = try remember(.deny, question.subject, question.service)
                end(errand, refusing: [Refusal(.grantDenied, names)])
            } catch {
                end(errand, after: error)
            }
        case .once: end(errand, allowing: question.service)
        case .allow where asksEveryTime: end(errand, allowing: question.service)
        case .allow:
            do throws(RefusedRequest) {
                _ = try remember(.allow, question.subject, question.service)
                end(errand, allowing: question.service)
            } catch {
                end(errand, after: error)
            }
        }
    }

    /// What a request gets whose proof is to be a prompt: it waits, or a reason.
    func askingApproval<Call: ProvableCall>(_ call: Call, _ id: RequestID, _ client: Client) -> RefusedRequest {
        guard configuration.consent.canConfirm else { return RefusedRequest(.proofRequired) }
        if let wait = denials.remaining(of: .approval(program: client.program), at: now) {
            return RefusedRequest([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
        }
        let evidence = evidence(of: client)
        let deed = (call as? any DescribedDeed)?.deed ?? "do \(Call.method.rawValue)"
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

extension Client {
    /// The program, as far as it can be told from another one.
    fileprivate var program: String { peer.evidence.executablePath ?? peer.passingName }
}
