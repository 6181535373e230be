// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import Reasons

struct EditCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes label, notes, tags, fields and sites.",
        usage: """
            autofillctl edit <site> [<user>] [--label <text>] [--tag <tag> ...] [--no-tags] [--notes-fd <n>] \
            [--also-at <site> ...] [--not-at <site> ...] [--field <name=text> ...] [--secret-field <name> ...] \
            [--secret-field-fd <n>] [--no-field <name> ...] [proof options] [common options]
            """,
        discussion: """
            The password is not changed; autofillctl save changes it. Fields are your own data: a customer number, an \
            answer to a question. Put secrets into a secret field, which is read from the terminal; get --reveal shows \
            both kinds. To change fields all of them are read, which is recorded as a release.

            To change the user name: autofillctl rename.

            Examples:
              autofillctl edit shop.example.com jo --label Shop --tag work --tag travel
              autofillctl edit shop.example.com jo --notes-fd 0 < notes
              autofillctl edit shop.example.com jo --also-at pay.example.org
              autofillctl edit shop.example.com jo --field customer=4711 --secret-field PIN
            """)

    @OptionGroup var credential: CredentialArguments

    @OptionGroup var details: DetailOptions

    @Flag(help: "Remove all tags.")
    var noTags = false

    @OptionGroup var sites: FurtherSiteOptions
    @OptionGroup var fields: CustomFieldOptions
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if noTags, !details.tags.isEmpty { throw ValidationError("Give --tag or --no-tags, not both.") }
        let isEmpty = details.label == nil && details.tags.isEmpty && details.notesDescriptor == nil
        if isEmpty, !noTags, sites.isEmpty, fields.isEmpty {
            throw ValidationError("Name a change: --label, --tag, --notes-fd, --also-at, --field and others.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let sites = try sites.read()
        let changes = try details.changes(noTags: noTags)
        let (session, proof) = try await service.proven(self.proof)
        let summary = try await credential.find(session, proof)
        var values: [CustomFieldValue]?
        if !fields.isEmpty {
            let complete = try await session.call(
                CredentialGet(.id(summary.credential), proof: proof))
            values = try fields.changed(complete.fields ?? [])
        }
        let answer = try await session.call(
            CredentialUpdate(
                credential: summary.credential,
                changes: CredentialChanges(
                    label: changes.label, notes: changes.notes, tags: changes.tags, fields: values,
                    services: try sites.changed(summary.services)), ifVersion: summary.version, proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(answer.changed ? "Changed \(summary.text)." : "Nothing has changed.", console)
    }
}
