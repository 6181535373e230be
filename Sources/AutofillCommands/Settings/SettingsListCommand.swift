// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SettingsListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists all settings with their values and sources.",
        discussion: """
            Settings about other apps or files are shown only with proof: --key-file, --passphrase-fd, --recovery-key or \
            --prompt. This command does not ask for the passphrase.

            Example:
              autofillctl settings list
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let given = proof.isNamed ? try await proof.proof(session) : nil
        let answer = try await session.call(SettingList(proof: given))
        if format.json { return console.print { answer.write(to: &$0) } }
        var table = Table("SETTING", "VALUE", "SET BY", "DEFAULT", "WHAT IT IS FOR")
        for setting in answer.settings {
            table.add(
                setting.setting, setting.isHidden ? "(with proof)" : setting.value.text,
                setting.source + (setting.isMandatory ? ", fixed" : ""), setting.standard.text, setting.summary)
        }
        console.print(table)
    }
}
