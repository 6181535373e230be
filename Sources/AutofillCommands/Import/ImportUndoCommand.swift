// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct ImportUndoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Reverts the last import of a file, within a day.",
        discussion: """
            Credentials that it added are deleted, and can be restored as others that are deleted; those that it changed \
            are as before. What was saved or changed since is kept as it is.

            Example:
              autofillctl import undo
            """)

    @Flag(help: "Do not ask for confirmation.") var yes = false
    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        try confirm("Delete what the last import has added?", unless: yes)
        let answer = try await session.call(ImportUndo(proof: proof), showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        guard answer.changed else { return console.print("There is no import of the last day to revert.") }
        console.print("\(answer.removed) deleted, \(answer.restored) restored, \(answer.kept) changed since and kept.")
    }
}
