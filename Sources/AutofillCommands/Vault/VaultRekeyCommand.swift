// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultRekeyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Seals everything anew under a new key.",
        discussion: """
            Shuts out whoever knows the old key: by a former passphrase and an old backup. All slots end but the one that \
            you prove yourself with, which opens the vault as before; give it a new secret with --new-…. Add the others \
            again with autofillctl vault slot add. A rekey that is stopped halfway leaves the vault as it was.

            Examples:
              autofillctl vault rekey
              autofillctl vault rekey --new-passphrase
            """)

    @Flag(name: .customLong("new-passphrase"), help: "Ask for a new passphrase.")
    var asksForPassphrase = false

    @OptionGroup var secret: NewSecretOptions

    @Flag(help: "Do not ask before. The passphrase or key is needed all the same.")
    var yes = false

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithOpenVault()
        let proof = try proof.proof()
        let slots = try await session.call(SlotList(proof: proof)).slots
        try confirm(
            "Seal everything anew? These \(slots.count) slots end: "
                + "\(slots.map { "\($0.slot) (\($0.label.printable))" }.joined(separator: ", ")).", unless: yes)
        let answer = try await withSecret(provenBy: proof) { secret throws(CommandFailure) in
            try await session.call(
                VaultRekey(secrets: [secret], proof: proof), showingProgressOn: format.json ? nil : console)
        }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        console.print("Everything is sealed anew.")
        for slot in answer.slots { console.print(slot) }
        if let recoveryKey = answer.recoveryKey { console.print(recoveryKey: recoveryKey) }
        guard !answer.backups.isEmpty else { return }
        console.print("Former secrets still open these backups; delete those that you do not need:")
        for backup in answer.backups { console.print("  \(backup.printable)") }
    }

    /// What opens the vault from now on: what opens it now, unless another is named.
    private func withSecret(
        provenBy proof: Proof,
        _ body: (NewSecret) async throws(CommandFailure) -> VaultRekey.Answer
    ) async throws(CommandFailure) -> VaultRekey.Answer {
        let isNamed =
            asksForPassphrase || secret.passphraseDescriptor != nil || secret.newKeyFile != nil || secret.newRecoveryKey
        guard !isNamed else { return try await secret.withSecret(body) }
        switch proof {
        case .passphrase(let passphrase): return try await body(.passphrase(passphrase))
        case .key(let key): return try await body(.key(key))
        // A recovery key is drawn, never chosen: it is a new one.
        case .recoveryKey: return try await body(.recoveryKey)
        case .prompt: throw CommandFailure(Refusal(.proofRequired))
        }
    }
}
