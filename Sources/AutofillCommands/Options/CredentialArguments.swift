// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

/// A saved credential: its site and user name, or its id.
struct CredentialArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The site's domain, or a credential's id.", valueName: "site"))
    var site: String

    @Argument(help: "The user name; not needed with an id, or if only one is saved.")
    var user: String?

    init() {}

    init(site: String, user: String?) {
        self.init()
        (self.site, self.user) = (site, user)
    }

    func validate() throws {
        if isID, user != nil { throw ValidationError("Give an id, or a site and a user name.") }
    }

    private var isID: Bool { site.hasPrefix("crd_") }

    /// Checked before anything is asked for; nil for an id.
    func domain() throws(CommandFailure) -> DomainName? { isID ? nil : try DomainName(argument: site) }

    /// The credential in a call; without a user name the one that was used last is meant.
    func name() throws(CommandFailure) -> CredentialName {
        guard let domain = try domain() else { return .id(site) }
        return .saved(for: ServiceIdentifier(domain), user: user)
    }

    /// The saved credential. Without a user name it must be the only one of the site, unless the last used one is meant.
    func find(
        _ session: AutofillSession, _ proof: Proof, lastUsed: Bool = false
    ) async throws(CommandFailure) -> CredentialSummary {
        let saved = try await session.allCredentials(for: domain(), with: proof)
        if user == nil, !isID, !lastUsed, saved.count > 1 {
            throw CommandFailure(
                .usage, "\(saved.count.counted("credential")) are saved for \(site.printable)",
                fix: "Name the user: \(CommandLineFix.command(adding: saved[0].user, after: site))")
        }
        // Swift compares by canonical equivalence, and the vault looks up by the NFC form: the results are equal.
        let found = saved.first { isID ? $0.credential == site : user == nil || $0.user == user }
        guard let found else { throw try await missing(session, proof) }
        return found
    }

    /// The credential with its password: a recorded release.
    func release(
        _ session: AutofillSession, _ proof: Proof, for evidence: String? = nil
    ) async throws(CommandFailure) -> CredentialGet.Answer {
        try await perform(session, proof) { () async throws(CommandFailure) in
            try await session.call(CredentialGet(try name(), proof: proof), for: evidence)
        }
    }

    /// The same as `find`; nil if there is none with that id.
    func findUnlessID(_ session: AutofillSession, _ proof: Proof) async throws(CommandFailure) -> CredentialSummary? {
        do throws(CommandFailure) { return try await find(session, proof) } catch {
            guard isID, error.status == .notFound else { throw error }
            return nil
        }
    }

    /// The service and the user name of a password to save.
    func targetToSave(
        _ session: AutofillSession, _ proof: Proof
    ) async throws(CommandFailure) -> (service: ServiceIdentifier, user: String) {
        if let domain = try domain() {
            if let user { return (ServiceIdentifier(domain), user) }
            if try await session.allCredentials(for: domain, with: proof).isEmpty {
                throw CommandFailure(
                    .usage, "No credential is saved for \(domain)",
                    fix: "Name the user: \(CommandLineFix.command(adding: "USER", after: site))")
            }
        }
        let found = try await find(session, proof)
        return (found.service, found.user)
    }

    /// Performs calls for it; where it is not saved, the refusal names the nearest one.
    func perform<Result>(
        _ session: AutofillSession, _ proof: Proof, _ body: () async throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(CommandFailure) { return try await body() } catch {
            guard error.problems.first?.code == Reason.credentialNotFound.rawValue else { throw error }
            throw try await missing(session, proof)
        }
    }

    private func missing(_ session: AutofillSession, _ proof: Proof) async throws(CommandFailure) -> CommandFailure {
        let all = isID ? [] : try await session.allCredentials(for: nil, with: proof)
        let sites = Set(all.flatMap { $0.services.map(\.service.value) })
        let (wrong, names) =
            sites.contains(site) ? (user ?? "", all.filter { $0.isFor(site) }.map(\.user)) : (site, sites.sorted())
        let reason = Reason.credentialNotFound
        let near = wrong.nearest(of: names)
        return CommandFailure(
            .notFound,
            [
                .init(
                    code: reason.rawValue, message: reason.message,
                    fix: near.map { CommandLineFix.fix(wrong, $0) } ?? Refusal(reason).fix)
            ])
    }
}

extension CredentialSummary {
    fileprivate func isFor(_ site: String) -> Bool { services.contains { $0.service.value == site } }

    /// For messages: `jo at shop.example.com`.
    var text: String { "\(user.printable) at \(service.value.printable)" }
}
