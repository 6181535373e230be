// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import AutofillCommands

@Suite("Help and usage")
struct HelpTests {
    private static func all(_ command: any ParsableCommand.Type = AutofillCommand.self) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { all($0) }
            + command.configuration.groupedSubcommands.flatMap(\.subcommands).flatMap { all($0) }
    }

    @Test("Every command has an abstract and an example", arguments: all().map { "\($0)" })
    func examples(name: String) throws {
        let command = try #require(Self.all().first { "\($0)" == name })
        #expect(command.configuration.abstract.hasSuffix("."))
        #expect(command.configuration.discussion.contains("\n  autofillctl "))
    }

    @Test("No option takes a passphrase or a password itself")
    func noSecretArguments() {
        for command in Self.all() {
            let help = AutofillCommand.helpMessage(for: command, includeHidden: true)
            for word in ["--passphrase ", "--password ", "--key "] { #expect(!help.contains(word)) }
        }
    }

    @Test("Wrong options end with 64", .enabled(if: CommandRun.executable != nil, "autofillctl was not built"))
    func usage() async throws {
        for arguments in [
            ["nothing"], ["vault", "create", "--passphrase", "x"], ["get"], ["explain", "one"],
            ["vault", "check", "--prompt"], ["undelete", "crd_1", "--prompt"],
        ] {
            let run = try await CommandRun.of(arguments)
            #expect(run.status == 64)
            #expect(run.output.isEmpty && !run.errors.isEmpty)
        }
    }

    @Test(
        "Completions for three shells come from the commands",
        .enabled(if: CommandRun.executable != nil, "autofillctl was not built"), arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await CommandRun.of(["--generate-completion-script", shell])
        #expect(run.status == 0 && run.output.contains("explain"))
    }
}
