// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Settings

struct SettingsUnsetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Restores the administrator's or the default value.",
        discussion: """
            Example:
              autofillctl settings unset logLevel
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
            SettingSet(setting: setting, value: nil, app: app, proof: proof)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(answer.changed ? "\(setting) is no longer set." : "\(setting) was not set.", console)
    }
}
