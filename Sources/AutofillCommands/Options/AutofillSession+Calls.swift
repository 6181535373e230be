// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Glibc
import Reasons

/// Calls of autofillctl. A refusal ends the command.
extension AutofillSession {
    /// Returns all saved credentials; with a domain only its own, the last used one first.
    func allCredentials(
        for domain: DomainName?, deleted: Bool = false, with proof: Proof
    ) async throws(CommandFailure) -> [CredentialSummary] {
        try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await call(
                CredentialList(
                    service: domain.map(ServiceIdentifier.init), deleted: deleted, page: page, proof: proof))
            return (found.credentials, found.next)
        }
    }

    /// Performs a call. After a wrong passphrase the next attempt is refused for a few seconds: then this waits and repeats it
    /// once.
    ///
    /// - Parameter evidence: what a secret is for, recorded with its release.
    func call<Call: MethodCall>(_ call: Call, for evidence: String? = nil) async throws(CommandFailure) -> Call.Answer {
        let interaction = UserInteraction.allowed(evidence: evidence)
        do throws(AutofillError) {
            do throws(AutofillError) {
                return try await perform(call, interaction)
            } catch {
                guard case .refused(let reasons) = error,
                    error.isRefused(for: .init(rawValue: Reason.proofTooSoon.rawValue)),
                    let delay = reasons.compactMap(\.retryAfter).max()
                else { throw error }
                if isatty(STDERR_FILENO) == 1 {
                    Console.ofThisProcess().printError("Waiting: a wrong passphrase or key was just given.")
                }
                guard (try? await Task.sleep(for: delay)) != nil else { throw error }
                return try await perform(call, interaction)
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Whether the service accepts a passphrase that was typed at this terminal before.
    func hasTerminalProof() async throws(CommandFailure) -> Bool {
        try await call(Status()).daemon?.terminalProofSeconds != nil
    }

    /// The proof for further calls after one with the secret itself: what was typed at this terminal, where that is
    /// accepted.
    func further(_ secret: Proof) async throws(CommandFailure) -> Proof {
        guard case .typedPassphrase = secret, try await hasTerminalProof() else { return secret }
        return .terminal
    }

    /// Returns the offers of all apps in one state.
    func allOffers(_ state: OfferState, with proof: Proof) async throws(CommandFailure) -> [OfferReport] {
        let offers = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await call(OfferList(state: state.rawValue, page: page, proof: proof))
            return (found.offers, found.next)
        }
        return offers.sorted { $0.created > $1.created }
    }

    /// Performs a call that may need proof: with the proof of the options if one is given, else without, and if that is refused
    /// with the passphrase, read from the terminal.
    func call<Call: ProvableCall>(
        _ options: ProofOptions, _ make: (Proof?) -> Call
    ) async throws(CommandFailure) -> Call.Answer {
        if options.isGiven { return try await call(make(try await options.proof(self))) }
        do throws(AutofillError) {
            return try await perform(make(nil))
        } catch {
            guard error.isRefused(for: .init(rawValue: "proof-required")), greeting.vault == .unlocked else {
                throw CommandFailure(error)
            }
        }
        return try await call(make(try await options.proof(self)))
    }

    /// Returns all grants and denials.
    func allGrants(with proof: Proof) async throws(CommandFailure) -> [GrantReport] {
        try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await call(GrantList(page: page, proof: proof))
            return (found.grants, found.next)
        }
    }

    /// Performs a call that works on the whole vault. After a second, it prints the progress on a terminal.
    func call<Call: MethodCall>(
        _ call: Call, showingProgressOn console: Console?
    ) async throws(CommandFailure) -> Call.Answer {
        guard let console, console.isTerminal else { return try await self.call(call) }
        // Cancelled after the answer.
        async let _: Void = watch(console)
        return try await self.call(call)
    }

    private func watch(_ console: Console) async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            guard let work = try? await perform(Status()).daemon?.work, work.all > 0, !Task.isCancelled else {
                continue
            }
            console.printError("\(work.done * 100 / work.all) % of \(work.all)")
        }
    }

    /// Reads the export that this session has begun, to its end.
    ///
    /// - Parameters:
    ///   - console: nil to show no progress.
    ///   - page: receives the entries of a page.
    func readExport(
        showingProgressOn console: Console?, _ page: ([ImportedEntry]) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        var (count, cursor) = (0, String?.none)
        var next = ContinuousClock.now + .seconds(1)
        repeat {
            let answer = try await call(ExportRead(page: PageRequest(limit: Limits.listLimit, cursor: cursor)))
            try page(answer.entries)
            count += answer.entries.count
            cursor = answer.next
            if ContinuousClock.now >= next, let console, console.isTerminal {
                console.printError("\(count.counted("entry", "entries")) read")
                next = .now + .seconds(1)
            }
        } while cursor != nil
    }
}
