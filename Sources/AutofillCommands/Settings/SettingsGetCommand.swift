// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Settings

struct SettingsGetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows the effective value of a setting.",
        discussion: """
            Examples:
              autofillctl settings get autoFill
              autofillctl settings get strongPasswords --app org.example.Shop
            """)

    @Argument(help: "The setting, from autofillctl settings list.")
    var setting: String

    @Option(help: ArgumentHelp("For this app alone; only strongPasswords.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        try Setting.check(argument: setting)
        let session = try await service.session()
        let answer = try await session.call(proof) { proof in
            SettingGet(setting: setting, app: app, proof: proof)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        console.print(answer.value.text)
    }
}
