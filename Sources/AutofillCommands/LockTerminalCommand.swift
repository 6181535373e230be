// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct LockTerminalCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "lock-terminal", abstract: "Ends the validity of a typed passphrase.",
        discussion: """
            A passphrase that you type stays valid for further commands at the same terminal, for five minutes after the \
            last one (the setting terminalProofMinutes; 0 disables this), as with sudo. It ends with the terminal, when the \
            vault is locked, and with this command.

            Example:
              autofillctl lock-terminal
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(TerminalLock())
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(
            answer.changed
                ? "No passphrase is valid at this terminal any more." : "No passphrase was valid at this terminal.",
            console)
    }
}
