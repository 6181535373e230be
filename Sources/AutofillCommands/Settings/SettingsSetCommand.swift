// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Settings

struct SettingsSetCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes a setting, with immediate effect.",
        discussion: """
            Examples:
              autofillctl settings set autoFill off
              autofillctl settings set logLevel debug
            """)

    @Argument(help: "The setting, from autofillctl settings list.")
    var setting: String

    @Argument(help: "on, off, a number, a name, a path, or JSON.")
    var value: String

    @Option(help: ArgumentHelp("For this app alone; only strongPasswords.", valueName: "bundle-id"))
    var app: String?

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let value = try SettingValue(argument: self.value)
        try Setting.check(argument: setting)
        let session = try await service.session()
        let answer: SettingSet.Answer
        do throws(CommandFailure) {
            answer = try await session.call(proof) { proof in
                SettingSet(setting: setting, value: value, app: app, proof: proof)
            }
        } catch {
            throw error.proposing(insteadOf: self.value)
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        let name = setting + (app.map { " of \($0)" } ?? "")
        format.report("\(name) is \(answer.changed ? "now" : "already") \(Optional(value).text).", console)
    }
}
