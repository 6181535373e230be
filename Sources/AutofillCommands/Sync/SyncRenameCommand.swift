// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SyncRenameCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Gives this machine another name.",
        discussion: """
            Other machines show the name once they have merged this one's next file.

            Example:
              autofillctl sync rename office
            """)

    @Argument(help: ArgumentHelp("Your name for this machine.", valueName: "name"))
    var name: String

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        try SyncLocationOptions.check(machineName: name, fix: "Give a shorter name")
        let (session, proof) = try await service.proven(self.proof)
        let answer = try await session.call(SyncRename(name: name, proof: proof))
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report(
            answer.changed
                ? "This machine is called “\(name.printable)” now." : "This machine was called so before.", console)
    }
}
