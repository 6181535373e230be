// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

struct EditCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes label, notes, tags and sites of what is saved.",
        discussion: """
            The password stays; autofillctl save changes it.

            Examples:
              autofillctl edit shop.example.com jo --label Shop --tag work --tag travel
              autofillctl edit shop.example.com jo --notes-fd 0 < notes
              autofillctl edit shop.example.com jo --also-at pay.example.org
            """)

    @Argument(help: ArgumentHelp("The site's domain.", valueName: "site"))
    var domain: String

    @Argument(help: "The user name.")
    var user: String

    @OptionGroup var details: DetailOptions

    @Flag(help: "Take all tags off.")
    var noTags = false

    @Option(
        name: .customLong("also-at"),
        help: ArgumentHelp(
            "Another site that it is for; may be given more than once.", valueName: "site"))
    var further: [String] = []

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if noTags, !details.tags.isEmpty { throw ValidationError("Give --tag or --no-tags, not both.") }
        let isEmpty = details.label == nil && details.tags.isEmpty && details.notesDescriptor == nil
        if isEmpty, !noTags, further.isEmpty {
            throw ValidationError("Give --label, --tag, --no-tags, --notes-fd or --also-at.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let domain = try DomainName(argument: domain)
        var added: [ServiceIdentifier] = []
        for site in further { added.append(ServiceIdentifier(try DomainName(argument: site))) }
        let changes = try details.changes(noTags: noTags)
        let session = try await service.sessionWithOpenVault()
        let proof = try await proof.proof(session)
        let saved = try await session.allCredentials(for: domain, with: proof)
        // Swift compares by canonical equivalence, and the vault looks up by the NFC form: the same.
        guard let summary = saved.first(where: { $0.user == user }) else { throw CommandFailure(.credentialNotFound) }
        let new = added.filter { site in !summary.services.contains { $0.service == site } }.map { SavedService($0) }
        let answer = try await session.call(
            CredentialUpdate(
                credential: summary.credential,
                changes: CredentialChanges(
                    label: changes.label, notes: changes.notes, tags: changes.tags,
                    services: new.isEmpty ? nil : summary.services + new), ifVersion: summary.version, proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        if !answer.changed { console.print("It was so before.") }
    }
}

extension CommandFailure {
    /// What a refusal for this reason would be.
    init(_ reason: Reason) {
        self.init(.notFound, [.init(code: reason.rawValue, message: reason.message, fix: Refusal(reason).fix)])
    }
}
