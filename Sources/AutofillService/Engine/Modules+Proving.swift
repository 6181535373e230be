// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Prompting
internal import Reasons

/// Proof that the person is there: the passphrase or the key of a slot in the same request, or a prompt.
extension Modules {
    /// Holds the access table against a request, before its method runs, and checks the proof that it brings.
    ///
    /// What the table asks besides proof each method asks of the authoriser and the vault's keeper: without what these give
    /// back nothing can be read or released.
    func prove<Call: ServedCall>(_ call: Call, _ request: RequestContext) async throws(RefusedRequest) {
        let row = Call.declaration
        guard let proof = try proof(of: call, request) else { return }
        request.noteBroughtProof()
        if case .prompt = proof {
            try await askApproval(call, request, row)
        } else if case .terminal = proof {
            try await checkTerminal(request, row)
        } else if Call.method == .vaultRestore, vault.fact.isAbsent {
            // There is none whose secret it could be.
            return
        } else {
            try await check(proof, request)
            holdAtTerminal(proof, request)
        }
        request.noteProof()
    }

    /// The proof that a call brings, which is not checked yet; nil where it brings none and needs none.
    func proof<Call: ServedCall>(of call: Call, _ request: RequestContext) throws(RefusedRequest) -> Proof? {
        let row = Call.declaration
        try refuseBeyondSecretService(row, request)
        if let proof = (call as? any ProvableCall)?.proof { return proof }
        // A restore where no vault can be opened needs none: its method looks.
        if row.needsProof, Call.method != .vaultRestore { throw proofRequired(row) }
        return nil
    }

    /// Of what takes a registration, who asks through Secret Service may do what is told of keychain items, and no more.
    private func refuseBeyondSecretService(
        _ row: MethodDeclaration, _ request: RequestContext
    ) throws(RefusedRequest) {
        guard request.session.isOfSecretService, row.needsRegistration else { return }
        switch row.method {
        case .keychainSet, .keychainGet, .keychainDelete, .keychainSearch, .keychainRequest: return
        default: throw RefusedRequest(.appNotRegistered, [.app: request.session.app?.bundleID.text ?? ""])
        }
    }

    /// Checks a secret against the slots of the vault, which is unlocked.
    private func check(_ proof: Proof, _ request: RequestContext) async throws(RefusedRequest) {
        guard proof.isSlow else { return try await verify(proof, request) }
        try await derivations.inTurn(request, from: proof.place(of: request)) { () async throws(RefusedRequest) in
            try await verify(proof, request)
        }
    }

    private func verify(_ proof: Proof, _ request: RequestContext) async throws(RefusedRequest) {
        let attempt = try await decide(request) { () throws(RefusedRequest) in
            try request.requireOutsideSandbox()
            let open = try vault.unlocked()
            return try attempting { () throws(VaultError) in
                try open.slots.attempt(proof.secret(), slot: nil, from: proof.place(of: request), at: clock.steady)
            }
        }
        let outcome = proof.isSlow ? try await derivations.derive(request) { attempt.derive() } : attempt.derive()
        try await decide(request) { () throws(RefusedRequest) in
            let open = try vault.unlocked()
            _ = try attempting { () throws(VaultError) in try open.slots.verify(outcome, at: clock.steady) }
        }
    }

    /// Has the person asked whether the request may be performed.
    private func askApproval<Call: ServedCall>(
        _ call: Call, _ request: RequestContext, _ row: MethodDeclaration
    ) async throws(RefusedRequest) {
        guard row.admitsPrompt, let prompted = call as? any PromptedCall else { throw RefusedRequest(.proofRequired) }
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired) }
        let program = request.session.peer.program
        let approval = try await decide(request) { () throws(RefusedRequest) in
            if row.needsUnlockedVault { _ = try authoriser.openVault(request, .allow) }
            guard authoriser.prompts.canConfirm else { throw RefusedRequest(.proofRequired) }
            let denials = authoriser.prompts.denials
            if let wait = denials.remaining(of: .approval(program: program), at: clock.steady.milliseconds) {
                throw RefusedRequest([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
            }
            let evidence = authoriser.evidence(of: request.session)
            return Approval(
                bundleID: request.session.app?.bundleID.text ?? "",
                prompt: Prompt(
                    title: "Password AutoFill",
                    description:
                        "\(evidence.name) wants to \(try prompted.promptSummary(self)).\n\n\(evidence.lines)",
                    kind: .confirm(yes: "Allow", no: "Do not allow")))
        }
        let replacements = vault.replacements
        try request.willWait()
        request.progress.isAskingPerson = true
        surroundings.prompts.arm()
        defer { request.progress.isAskingPerson = false }
        let limit = Duration.milliseconds(Limits.promptMilliseconds)
        switch try await authoriser.prompts.approve(approval, of: request.session.asker, within: limit) {
        case nil: throw RefusedRequest(.proofRequired)
        // What the person was shown was of the vault of then.
        case true?: if vault.replacements != replacements { throw RefusedRequest(.proofRequired) }
        case false?:
            let wait = authoriser.prompts.denials.note(.approval(program: program), at: clock.steady.milliseconds)
            throw RefusedRequest([Refusal(.consentDenied, retryAfterMilliseconds: wait)])
        }
    }
}

extension Proof {
    /// Where it was given: what the person's command says was typed at its terminal has a place of its own among the guesses.
    func place(of request: RequestContext) -> GuessOrigin {
        guard case .typedPassphrase = self, request.session.peer.evidence.isOutsideSandbox,
            TerminalProofs.Place(request.session.peer) != nil
        else { return .request }
        return .terminal
    }

    /// Throws `recoveryKeyMistyped`, and `noSuchSlot` for what is no secret.
    func secret() throws(VaultError) -> VaultSecret {
        switch self {
        case .passphrase(let passphrase), .typedPassphrase(let passphrase): .passphrase(passphrase)
        case .key(let key): .key(key)
        case .recoveryKey(let typed): .recovery(try RecoveryKey(typed: typed))
        case .prompt, .terminal: throw .noSuchSlot
        }
    }

    var isSlow: Bool {
        switch self {
        case .passphrase, .typedPassphrase: true
        case .key, .recoveryKey, .prompt, .terminal: false
        }
    }
}
