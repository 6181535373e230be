// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Shows and changes the settings of autofilld.",
        discussion: """
            A change that weakens your protection needs the vault's passphrase or key. Settings that the administrator has \
            fixed in /etc/autofilld/settings.json cannot be changed.

            Examples:
              autofillctl settings list
              autofillctl settings set lockWhenIdleMinutes 15
              autofillctl settings set strongPasswords off --app org.example.Shop
            """,
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        ])
}

extension AutofillSession {
    /// Makes a call that may need proof: with the proof in the options, else without, and if that is refused with the
    /// passphrase from the terminal.
    func call<Call: ProvableCall>(
        _ options: ProofOptions, _ make: (Proof?) -> Call
    ) async throws(CommandFailure) -> Call.Answer {
        if options.isGiven { return try await call(make(try await options.proof(self))) }
        do throws(AutofillError) {
            return try await perform(make(nil))
        } catch {
            guard error.isRefused(for: .init(rawValue: "proof-required")), greeting.vault == .unlocked else {
                throw CommandFailure(error)
            }
        }
        return try await call(make(try await options.proof(self)))
    }
}
