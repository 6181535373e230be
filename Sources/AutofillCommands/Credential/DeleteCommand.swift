// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct DeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a saved credential.",
        discussion: """
            It can be restored for 30 days (the setting keepDeletedDays) with autofillctl undelete. Then it is erased. \
            autofillctl rm is the same command.

            Example:
              autofillctl delete shop.example.com jo@example.com
            """, aliases: ["rm"])

    @OptionGroup var credential: CredentialArguments

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        _ = try credential.domain()
        let (session, proof) = try await service.proven(self.proof)
        guard let found = try await credential.findUnlessID(session, proof) else {
            // It may be deleted: the service reports that.
            let answer = try await session.call(CredentialDelete(credential: credential.site, proof: proof))
            if format.json { return console.print { answer.write(to: &$0) } }
            return format.report("It was deleted already.", console)
        }
        try confirm("Delete \(found.text)?", unless: yes)
        let answer = try await session.call(CredentialDelete(credential: found.credential, proof: proof))
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report("Deleted \(found.text). To restore it: autofillctl undelete \(found.credential)", console)
    }
}
