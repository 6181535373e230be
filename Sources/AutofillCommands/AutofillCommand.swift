// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import AutofillProtocol
internal import SecretMemory

#if canImport(Glibc)
    internal import Glibc
#endif

/// autofillctl.
package struct AutofillCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "autofillctl",
        abstract: "Controls autofilld: its vault, its apps, and their access.",
        discussion: """
            To find out why AutoFill does not work in an app:

              autofillctl explain org.example.Shop --domain shop.example.com

            Commands that show or change stored data need the vault's passphrase, read from the terminal or from \
            --passphrase-fd, or one of --key-file and --recovery-key. The socket is $AUTOFILLD_SOCKET, or else \
            $XDG_RUNTIME_DIR/autofilld/socket.

            EXIT STATUS:
            \(ExitStatus.table)
            """,
        version: ProductVersion.text,
        subcommands: [
            NextCommand.self, StatusCommand.self, ExplainCommand.self, LogCommand.self, SettingsCommand.self,
            SuggestCommand.self,
            RulesCommand.self, PromptsCommand.self, DemoCommand.self, ManualCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Vault",
                subcommands: [
                    VaultCommand.self, VaultUnlockCommand.self, VaultLockCommand.self, LockTerminalCommand.self,
                    SyncCommand.self,
                ]),
            CommandGroup(
                name: "Credential",
                subcommands: [
                    ListCommand.self, SearchCommand.self, GetCommand.self, GenerateCommand.self, SaveCommand.self,
                    EditCommand.self, RenameCommand.self, HealthCommand.self,
                    DeleteCommand.self,
                    UndeleteCommand.self,
                    OffersCommand.self, CodeCommand.self, KeychainCommand.self, InjectCommand.self, RunCommand.self,
                ]),
            CommandGroup(
                name: "App",
                subcommands: [
                    AppCommand.self, DomainCommand.self, GrantCommand.self, QuirksCommand.self, HelperCommand.self,
                    BrowserCommand.self, SecretServiceCommand.self, ImportCommand.self,
                    ExportCommand.self,
                ]),
        ])

    package init() {}

    /// Without a command: the next step if standard output is a terminal, else the help.
    package mutating func run() async throws {
        guard Console.ofThisProcess().isTerminal else { throw CleanExit.helpRequest(self) }
        guard var next = try NextCommand.parseAsRoot([]) as? NextCommand else { throw CleanExit.helpRequest(self) }
        try await next.run()
    }

    /// The arguments with the command: a site's domain alone means `get`.
    static func withCommand(_ arguments: [String]) -> [String] {
        guard let first = arguments.first, first.contains("."), !first.hasPrefix("-") else { return arguments }
        return ["get"] + arguments
    }

    /// Runs the program with its arguments, and ends the process.
    package static func runProgram() async {
        // Secrets that are typed must not be readable by other programs.
        ProcessSecrecy.forbidInspection()
        // Otherwise libdispatch logs that it may not raise the priority of a thread.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        do {
            var command = try await asyncParseAsRoot(withCommand(CommandLineFix.arguments))
            if var waiting = command as? any AsyncParsableCommand { try await waiting.run() } else { try command.run() }
        } catch {
            let console = Console.ofThisProcess()
            let status = exitCode(for: error)
            let columns = console.width ?? 80
            let arguments = CommandLineFix.arguments
            let isWrong = status == .validationFailure
            let fix = isWrong ? UnknownCommand(arguments)?.fix ?? RunCommand.fix(of: arguments) : nil
            let message =
                UsageText(fullMessage(for: error), columns: columns).text
                + (fix.map { "\n" + console.hanging("  Fix: ", $0).joined(separator: "\n") } ?? "")
            if !message.isEmpty {
                if status.isSuccess { console.print(message) } else { console.printError(message) }
            }
            exit(withError: status)
        }
    }
}
