// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillServer
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import SecretMemory
internal import Settings
internal import Synchronization

/// What requests wait for that only the person can bring: one prompt after another, each on a thread that may wait.
final class PersonErrands: Sendable {
    private let prompter: Prompter
    private let queue = PromptQueue<Errand>()
    /// Who answers in the person's place, for tests.
    private let consent: Mutex<Consent>
    private let server = Mutex<SocketServer?>(nil)

    init(_ consent: Consent, prompter: Prompter) {
        self.consent = Mutex(consent)
        self.prompter = prompter
    }

    /// Where the answers go.
    func serve(_ server: SocketServer) {
        self.server.withLock { $0 = server }
    }

    /// Called on the event loop.
    ///
    /// - Returns: false for what is not the person's to bring.
    func run(_ order: ErrandOrder) -> Bool {
        guard let server = server.withLock({ $0 }) else { return false }
        switch order {
        case .drop(.unlock), .drop(.consent), .drop(.approval):
            if case .drop(let errand) = order { queue.withdraw(errand) }
        case .start(.unlock):
            let isQueued = queue.add(.unlock) { [self] withdrawal in try? unlock(server, withdrawal) }
            if !isQueued { giveUp(server) { $0.concludeUnlock(isDeclined: false) } }
        case .start(.consent(let question)):
            let isQueued = queue.add(.consent(question)) { [self] withdrawal in try? ask(question, server, withdrawal) }
            if !isQueued { giveUp(server) { $0.conclude(question, with: nil) } }
        case .start(.approval(let approval)):
            let isQueued = queue.add(.approval(approval)) { [self] withdrawal in try? ask(approval, server, withdrawal)
            }
            if !isQueued { giveUp(server) { $0.conclude(approval, isApproved: nil) } }
        case .start(.association), .drop(.association), .start(.contentHash), .drop(.contentHash), .start(.vaultWork),
            .drop(.vaultWork):
            return false
        }
        return true
    }

    /// Nobody can be asked for want of descriptors.
    private func giveUp(_ server: SocketServer, _ conclude: @escaping @Sendable (AutofillBroker) -> Void) {
        server.post { broker in
            broker.noteUnavailable("the daemon has too many files open")
            conclude(broker)
        }
    }

    /// Takes every prompt away.
    func stop() { queue.withdrawAll() }

    private func show(_ prompt: Prompt, _ server: SocketServer, _ withdrawal: Withdrawal) throws -> PromptOutcome {
        let (program, terminal) = try server.performWaiting {
            ($0.configuration.settings.prompter?.text, $0.promptTerminal)
        }
        return prompter.using(program, on: terminal)
            .ask(prompt, withinMilliseconds: Limits.promptMilliseconds, withdrawal: withdrawal)
    }

    /// Tells the broker, unless nobody waits any more: both are decided on the event loop, so that an answer never reaches
    /// a question that was taken back.
    private func tell(
        _ server: SocketServer, _ withdrawal: Withdrawal, _ body: @escaping @Sendable (AutofillBroker) -> Void
    ) throws {
        try server.performWaiting { broker in if !withdrawal.isWithdrawn { body(broker) } }
    }

    private func ask(_ question: ConsentQuestion, _ server: SocketServer, _ withdrawal: Withdrawal) throws {
        let consent = consent.withLock { $0 }
        if !consent.canGivePassphrase {
            let answer = self.consent.withLock { $0.answer(app: question.subject.app, service: question.service.value) }
            return try tell(server, withdrawal) { $0.conclude(question, with: answer) }
        }
        switch try show(question.first, server, withdrawal) {
        case .confirmed:
            let isForGood = try isConfirmed(question.afterYes, server, withdrawal)
            try tell(server, withdrawal) { $0.conclude(question, with: isForGood ? .allow : .once) }
        case .declined:
            let isForGood = try isConfirmed(question.afterNo, server, withdrawal)
            try tell(server, withdrawal) { $0.conclude(question, with: isForGood ? .never : .deny) }
        case .unavailable(let why):
            try tell(server, withdrawal) { broker in
                broker.noteUnavailable(why)
                broker.conclude(question, with: nil)
            }
        case .withdrawn: return
        case .timedOut, .passphrase: try tell(server, withdrawal) { $0.conclude(question, with: .deny) }
        }
    }

    /// The second question, where there is one: whatever comes of it but a yes is a no.
    private func isConfirmed(_ prompt: Prompt?, _ server: SocketServer, _ withdrawal: Withdrawal) throws -> Bool {
        guard let prompt, case .confirmed = try show(prompt, server, withdrawal) else { return false }
        return true
    }

    private func ask(_ approval: Approval, _ server: SocketServer, _ withdrawal: Withdrawal) throws {
        let consent = consent.withLock { $0 }
        if !consent.canGivePassphrase {
            let answer = self.consent.withLock { $0.answer(app: approval.bundleID, service: "*") }
            let isApproved = answer.map { $0 == .once || $0 == .allow }
            return try tell(server, withdrawal) { $0.conclude(approval, isApproved: isApproved) }
        }
        switch try show(approval.prompt, server, withdrawal) {
        case .confirmed: try tell(server, withdrawal) { $0.conclude(approval, isApproved: true) }
        case .unavailable(let why):
            try tell(server, withdrawal) { broker in
                broker.noteUnavailable(why)
                broker.conclude(approval, isApproved: nil)
            }
        case .withdrawn: return
        case .declined, .timedOut, .passphrase:
            try tell(server, withdrawal) { $0.conclude(approval, isApproved: false) }
        }
    }

    /// Asks for the passphrase until it is right, a few times at most; after a wrong one it waits as long as the vault
    /// says.
    private func unlock(_ server: SocketServer, _ withdrawal: Withdrawal) throws {
        for tried in 0..<Limits.passphraseTries {
            let prompt = try server.performWaiting { $0.unlockPrompt(isWrong: tried > 0) }
            switch try show(prompt, server, withdrawal) {
            case .passphrase(let passphrase):
                let attempt = try attempt(passphrase, server, withdrawal)
                guard let attempt else { return try tell(server, withdrawal) { $0.concludeUnlock(isDeclined: false) } }
                let outcome = try server.deriveWaiting { attempt.derive() }
                let failure: VaultError? = try server.performWaiting { broker in
                    do throws(VaultError) {
                        try broker.unlock(with: outcome)
                        return nil
                    } catch {
                        return error
                    }
                }
                guard let failure else { return }
                // Whatever else keeps it shut is no fault of what was typed.
                guard case .wrongSecret = failure else {
                    return try tell(server, withdrawal) { $0.concludeUnlock(isDeclined: false) }
                }
            case .unavailable(let why):
                return try tell(server, withdrawal) { broker in
                    broker.noteUnavailable(why)
                    broker.concludeUnlock(isDeclined: false)
                }
            case .withdrawn: return
            case .declined, .timedOut, .confirmed:
                return try tell(server, withdrawal) { $0.concludeUnlock(isDeclined: true) }
            }
        }
        try tell(server, withdrawal) { $0.concludeUnlock(isDeclined: true) }
    }

    /// The slow part, once the vault takes another try; nil where it takes none.
    private func attempt(
        _ passphrase: SecretBytes, _ server: SocketServer, _ withdrawal: Withdrawal
    ) throws -> UnlockAttempt? {
        while true {
            let attempt: Result<UnlockAttempt, VaultError> = try server.performWaiting { broker in
                do throws(VaultError) {
                    return .success(try broker.unlockAttempt(with: passphrase))
                } catch {
                    return .failure(error)
                }
            }
            switch attempt {
            case .success(let attempt): return attempt
            case .failure(.tooSoon(let delay)):
                guard withdrawal.wait(milliseconds: delay) else { return nil }
            case .failure: return nil
            }
        }
    }
}
