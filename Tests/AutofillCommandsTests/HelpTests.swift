// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
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

    @Test("Every command's help fits 80 columns and 120, and no example and no line of a list of commands is broken")
    func width() {
        for command in Self.all() {
            let abstract = command.configuration.abstract
            // An entry of the list: two spaces, a name, and a column at 26.
            #expect(abstract.count <= 54 || command == AutofillCommand.self, "\(abstract)")
            let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            for columns in [80, 120] {
                let help = UsageText(
                    AutofillCommand.helpMessage(for: command, columns: columns), columns: columns
                ).text.split(separator: "\n", omittingEmptySubsequences: false)
                for line in help { #expect(line.count <= columns, "\(line)") }
                #expect(!help.joined(separator: "\n").contains("\n\n\n"), "\(command)")
                for example in examples { #expect(help.contains(example), "\(example)") }
            }
        }
    }

    @Test("Every line of usage names each option, by itself or as one of a group")
    func usageIsWhole() throws {
        for command in Self.all() {
            let help = UsageText(AutofillCommand.helpMessage(for: command, columns: 120), columns: 120).text
            let usage = try #require(help.split(separator: "\n\n").first { $0.hasPrefix("USAGE: ") })
            #expect(!usage.contains("<options>"), "\(usage)")
            let own = help.components(separatedBy: "\nOPTIONS:\n").dropFirst().first?.components(separatedBy: "\n\n")
                .first
            for line in (own ?? "").split(separator: "\n") {
                guard let option = line.split(separator: " ").first(where: { $0.hasPrefix("--") }),
                    line.hasPrefix("  --"), !["--version", "--help"].contains(option)
                else { continue }
                #expect(usage.contains(option), "\(option) is missing in \(usage)")
            }
        }
    }

    @Test("A line of usage is broken between options, and summarises common options as a group")
    func usage() {
        let usage = "get <site> [<user>] [--reveal] --app <bundle-id> [--seconds <n>]"
        let common =
            " [--passphrase-fd <n>] [--key-file <path>] [--recovery-key] [--recovery-key-fd <n>] [--prompt]"
            + " [--socket <path>] [--json]"
        #expect(
            UsageText("OVERVIEW: a\n\nUSAGE: \(usage)\(common)\n\nOPTIONS:\n", columns: 40).text == """
                OVERVIEW: a

                USAGE: get <site> [<user>] [--reveal]
                       --app <bundle-id> [--seconds <n>]
                       [proof options] [common options]

                OPTIONS:

                """)
        #expect(UsageText("Error: x\nUsage: a b", columns: 10).text == "Error: x\nUsage: a b")
        #expect(
            UsageText("Error: what is wrong with it all\nUsage: a b", columns: 30).text
                == "Error: what is wrong\n       with it all\nUsage: a b")
    }

    @Test("The tasks of every day take no more keystrokes than in rbw, pass and op, with commands that exist")
    func keystrokes() throws {
        #expect(EverydayTask.all.count >= 10)
        for task in EverydayTask.all {
            for other in [task.rbw, task.pass, task.op] where !other.isEmpty {
                #expect(EverydayTask.keystrokes(task.own) <= EverydayTask.keystrokes(other), "\(task.name): \(other)")
            }
            var words = task.own.split(separator: " ").map(String.init).filter { !$0.hasPrefix("<") }
            #expect(words.removeFirst() == "a")
            _ = try AutofillCommand.parseAsRoot(AutofillCommand.withCommand(words))
            #expect(try ManualPage(of: AutofillCommand.self).text.contains("\n\(task.name)\t"))
        }
        #expect(AutofillCommand.withCommand(["list", "a.example"]) == ["list", "a.example"])
    }

    @Test("No option has a passphrase or a password as its value")
    func noSecretArguments() {
        for command in Self.all() {
            let help = AutofillCommand.helpMessage(for: command, includeHidden: true)
            for option in ["--passphrase ", "--password ", "--key "] { #expect(!help.contains(option)) }
        }
    }

    @Test("Wrong options end with 64", .enabled(if: CommandRun.executable != nil, "autofillctl was not built"))
    func wrongOptions() async throws {
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
        "Completions for three shells are generated from the commands",
        .enabled(if: CommandRun.executable != nil, "autofillctl was not built"), arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await CommandRun.of(["--generate-completion-script", shell])
        #expect(run.status == 0 && run.output.contains("explain"))
    }
}
