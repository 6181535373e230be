// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
package import AutofillProtocol
package import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Prompting
internal import Reasons
internal import Settings

/// Checks the proof of requests: the passphrase or the key of a slot in the same request, a terminal at which it was given, or a
/// prompt.
package final class RequestProofs {
    private let vault: VaultKeeper
    private let decider: RequestDecider
    private let derivations: KeyDerivations
    private let terminals: TerminalProofs
    private let settings: SettingsInForce
    private let unlocker: VaultUnlocker
    private let prompts: RequestApprovals

    init(
        _ vault: VaultKeeper, _ decider: RequestDecider, _ derivations: KeyDerivations, _ terminals: TerminalProofs,
        _ settings: SettingsInForce, _ unlocker: VaultUnlocker, _ prompts: RequestApprovals
    ) {
        self.vault = vault
        self.decider = decider
        self.derivations = derivations
        self.terminals = terminals
        self.settings = settings
        self.unlocker = unlocker
        self.prompts = prompts
    }

    private var clock: ServiceClock { vault.clock }

    /// The proof that a request brings, which is not checked yet; nil where it brings none and needs none.
    ///
    /// What the access table requires besides proof each method requires of `Access` and the vault: without what these return
    /// nothing can be read or released.
    func proof(_ brought: Proof?, _ request: RequestContext) throws(RefusedRequest) -> Proof? {
        let row = request.declaration
        if request.session.isOfSecretService, row.needsRegistration, !row.method.isForSecretService {
            throw RefusedRequest(.appNotRegistered, [.app: request.session.app?.bundleID.text ?? ""])
        }
        if let brought { return brought }
        // A restore where no vault can be opened needs none: its method checks that.
        if row.needsProof, row.method != .vaultRestore { throw vault.proofRequired(row) }
        return nil
    }

    /// Checks the proof that a request brings, before its method runs.
    ///
    /// - Parameter promptText: what the request would do, for a prompt; nil where none can be the proof.
    func check(
        _ proof: Proof, _ request: RequestContext, promptText: () throws(Unsettled) -> String?
    ) async throws(RefusedRequest) {
        let row = request.declaration
        request.consents.noteBroughtProof()
        switch proof {
        case .prompt: try await askApproval(request, row, promptText)
        case .terminal: try await checkTerminal(request, row)
        // There is no vault whose secret it could be.
        case _ where request.method == .vaultRestore && vault.fact.isAbsent: return
        default:
            try await checkSecret(proof, request)
            holdAtTerminal(proof, request)
        }
        request.consents.noteProof()
    }

    /// Checks a secret against the slots of the vault, which is unlocked.
    private func checkSecret(_ proof: Proof, _ request: RequestContext) async throws(RefusedRequest) {
        guard proof.isSlow else { return try await verify(proof, request) }
        try await derivations.guessing(request, from: proof.origin(of: request)) { () async throws(RefusedRequest) in
            try await verify(proof, request)
        }
    }

    private func verify(_ proof: Proof, _ request: RequestContext) async throws(RefusedRequest) {
        let attempt = try await decider.settle(request) { view throws(Unsettled) in
            try view.requireOutsideSandbox()
            return try vault.withVault { vault throws(VaultError) in
                try vault.slots.attempt(proof.secret(), slot: nil, from: proof.origin(of: request), at: clock.steady)
            }
        }
        let outcome = proof.isSlow ? try await derivations.derive(request) { attempt.derive() } : attempt.derive()
        try await decider.settle(request) { _ throws(Unsettled) in
            _ = try vault.withVault { vault throws(VaultError) in try vault.slots.verify(outcome, at: clock.steady) }
        }
    }

    // MARK: - Terminals

    /// Checks that a passphrase was given at the terminal of the request's peer, and that it still holds there.
    private func checkTerminal(_ request: RequestContext, _ row: MethodDeclaration) async throws(RefusedRequest) {
        if row.needsSecret { throw RefusedRequest(.proofRequired) }
        try await decider.settle(request) { view throws(Unsettled) in
            try view.requireOutsideSandbox()
            _ = try vault.unlocked()
            try view.confirmPeer()
            let isHeld = terminals.use(
                by: view.peer, minutes: settings.effective.terminalProofMinutes, at: clock.steady.milliseconds)
            if !isHeld { throw Unsettled(.proofRequired) }
        }
    }

    /// Lets a passphrase that was right hold at the terminal of the request's peer, where it has one.
    package func holdAtTerminal(_ proof: Proof, _ request: RequestContext) {
        guard case .typedPassphrase = proof, settings.effective.terminalProofMinutes > 0,
            request.session.peer.evidence.isOutsideSandbox, let slot = TerminalProofs.Terminal(request.session.peer)
        else { return }
        terminals.hold(slot, at: clock.steady.milliseconds)
    }

    // MARK: - Prompts

    /// Asks the user whether the request may be performed.
    private func askApproval(
        _ request: RequestContext, _ row: MethodDeclaration, _ promptText: () throws(Unsettled) -> String?
    ) async throws(RefusedRequest) {
        guard row.admitsPrompt else { throw RefusedRequest(.proofRequired) }
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired) }
        let approval = try await decider.settle(request) { view throws(Unsettled) in
            if row.needsUnlockedVault { try unlocker.requireOpenVault(view, .allow) }
            return try prompts.approval(of: view, promptText)
        }
        let replacements = vault.replacements
        guard try await prompts.ask(approval, request) else { throw RefusedRequest(.proofRequired) }
        // What the user was shown was of the vault of then.
        if vault.replacements != replacements { throw RefusedRequest(.proofRequired) }
    }
}

extension Method {
    /// Of the methods that need a registration, whether a client through Secret Service may call it: those that access keychain
    /// items.
    fileprivate var isForSecretService: Bool {
        switch self {
        case .keychainSet, .keychainGet, .keychainDelete, .keychainSearch, .keychainRequest: true
        default: false
        }
    }
}

extension VaultKeeper {
    /// What a request gets that brings no proof where some is needed; with the vault's reason, which proof cannot fix.
    func proofRequired(_ row: MethodDeclaration) -> RefusedRequest {
        RefusedRequest([row.needsUnlockedVault ? refusal : nil, Refusal(.proofRequired)].compactMap(\.self))
    }
}

extension Proof {
    /// The origin of a guess: what the user's command reports as typed at its terminal has a limit of its own.
    package func origin(of request: RequestContext) -> GuessOrigin {
        guard case .typedPassphrase = self, request.session.peer.evidence.isOutsideSandbox,
            TerminalProofs.Terminal(request.session.peer) != nil
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

    package var isSlow: Bool {
        switch self {
        case .passphrase, .typedPassphrase: true
        case .key, .recoveryKey, .prompt, .terminal: false
        }
    }
}
