// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import AutofillProtocol

#if canImport(Glibc)
    internal import Glibc
#endif

/// autofillctl.
package struct AutofillCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "autofillctl",
        abstract: "Looks after autofilld: its vault, its apps, and what each app may have.",
        discussion: """
            To see what keeps AutoFill from working in an app:

              autofillctl explain org.example.Shop --domain shop.example.com

            Whatever shows or changes what is stored needs the vault's passphrase, asked for on the terminal, or \
            --passphrase-fd, --key-file or --recovery-key. The socket is $AUTOFILLD_SOCKET, else $XDG_RUNTIME_DIR/autofilld/socket.

            EXIT STATUS:
            \(ExitStatus.table)
            """,
        version: ProductVersion.text,
        subcommands: [
            StatusCommand.self, ExplainCommand.self, LogCommand.self, SettingsCommand.self, SuggestCommand.self,
            RulesCommand.self, DemoCommand.self, ManualCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(name: "Vault", subcommands: [VaultCommand.self]),
            CommandGroup(
                name: "Credential",
                subcommands: [
                    ListCommand.self, GetCommand.self, SaveCommand.self, DeleteCommand.self, UndeleteCommand.self,
                    OffersCommand.self, CodeCommand.self, KeychainCommand.self,
                ]),
            CommandGroup(
                name: "App",
                subcommands: [AppCommand.self, DomainCommand.self, GrantCommand.self, QuirksCommand.self]),
        ])

    package init() {}

    /// Runs the program with its arguments, and ends the process.
    package static func runProgram() async {
        // Else libdispatch writes to the system's log that it may not raise the priority of a thread.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        await main()
    }
}
