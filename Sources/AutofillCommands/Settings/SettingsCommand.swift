// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows and changes what autofilld does.",
        discussion: """
            What protects you less than before needs the vault's passphrase or key. What the administrator has fixed in \
            /etc/autofilld/settings.json cannot be changed.

            Examples:
              autofillctl settings list
              autofillctl settings set lockWhenIdleMinutes 15
              autofillctl settings set strongPasswords off --app org.example.Shop
            """,
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        ])
}

struct SettingsListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists all settings, what is in force, and who set it.",
        discussion: """
            What tells of other apps or of files is shown with --key-file or --passphrase-fd only.

            Example:
              autofillctl settings list
            """)

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let given = proof.isGiven ? try proof.proof() : nil
        let answer = try await session.call(SettingList(proof: given))
        if format.json { return console.print { answer.write(to: &$0) } }
        var table = Table("SETTING", "VALUE", "SET BY", "DEFAULT", "WHAT IT IS FOR")
        for setting in answer.settings {
            table.add(
                setting.setting, setting.isHidden ? "(with --key-file)" : setting.value.text,
                setting.source + (setting.isMandatory ? ", fixed" : ""), setting.standard.text, setting.summary)
        }
        console.print(table)
    }
}

struct SettingsGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows what is in force for one setting.",
        discussion: """
            Examples:
              autofillctl settings get autoFill
              autofillctl settings get strongPasswords --app org.example.Shop
            """)

    @Argument(help: "The setting, from autofillctl settings list.")
    var setting: String

    @Option(help: ArgumentHelp("For this app alone; only strongPasswords.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(proof) { proof in
            SettingGet(setting: setting, app: app, proof: proof)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(answer.value.text)
    }
}

struct SettingsSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a setting; it holds at once.",
        discussion: """
            Examples:
              autofillctl settings set autoFill off
              autofillctl settings set logLevel debug
            """)

    @Argument(help: "The setting, from autofillctl settings list.")
    var setting: String

    @Argument(help: "on, off, a number, a word, a path, or JSON.")
    var value: String

    @Option(help: ArgumentHelp("For this app alone; only strongPasswords.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let value = try SettingValue(argument: self.value)
        let session = try await service.session()
        let answer = try await session.call(proof) { proof in
            SettingSet(setting: setting, value: value, app: app, proof: proof)
        }
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

struct SettingsUnsetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Goes back to the administrator's value, or to the default.",
        discussion: """
            Example:
              autofillctl settings unset logLevel
            """)

    @Argument(help: "The setting, from autofillctl settings list.")
    var setting: String

    @Option(help: ArgumentHelp("For this app alone; only strongPasswords.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(proof) { proof in
            SettingSet(setting: setting, value: nil, app: app, proof: proof)
        }
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

extension AutofillSession {
    /// Makes a call that may need proof: with what the options give, else without, and where that is not enough with the
    /// passphrase, asked for on the terminal.
    fileprivate func call<Call: ProvableCall>(
        _ options: ProofOptions, _ make: (Proof?) -> Call
    ) async throws(CommandFailure) -> Call.Answer {
        if options.isGiven { return try await call(make(try options.proof())) }
        do throws(AutofillError) {
            return try await perform(make(nil))
        } catch {
            guard error.isRefused(for: .init(rawValue: "proof-required")), greeting.vault == "unlocked" else {
                throw CommandFailure(error)
            }
        }
        return try await call(make(try options.proof()))
    }
}
