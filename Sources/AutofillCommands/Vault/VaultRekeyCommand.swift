// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultRekeyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Encrypts everything again with a new key.",
        discussion: """
            Makes the old key useless to anyone who has it, from a former passphrase and an old backup. All slots are \
            removed except the one that you prove yourself with, which opens the vault as before; to change its secret, use \
            --new-…. Add the others again with autofillctl vault slot add. An interrupted rekey leaves the vault unchanged.

            With sync this machine gets a new id, and the old key opens nothing that is written to the folder from then \
            on.

            Examples:
              autofillctl vault rekey
              autofillctl vault rekey --new-passphrase
            """)

    @Flag(name: .customLong("new-passphrase"), help: "Ask for a new passphrase.")
    var asksForPassphrase = false

    @OptionGroup var secret: NewSecretOptions

    @Flag(help: "Do not ask for confirmation. The passphrase or key is still needed.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        try secret.validate()
        if asksForPassphrase, secret.isNamed {
            throw ValidationError("Give --new-passphrase or another of --new-…, not both.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.sessionWithVault()
        let proof = try await proof.secret(session)
        let slots = try await session.call(SlotList(proof: proof)).slots
        try confirm(
            "Encrypt everything again? All slots are removed: "
                + "\(slots.map { "\($0.slot) (\($0.label.printable))" }.joined(separator: ", ")). "
                + "From then on the vault is opened by \(whatOpens).", unless: yes)
        let answer = try await withSecrets(provenBy: proof) { secrets throws(CommandFailure) in
            try await session.call(
                VaultRekey(secrets: secrets, proof: proof), showingProgressOn: format.json ? nil : console)
        }
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        format.report("Everything is encrypted with a new key.", console)
        if !format.quiet { for slot in answer.slots { console.print(slot) } }
        if let recoveryKey = answer.recoveryKey { console.print(recoveryKey: recoveryKey) }
        guard !format.quiet else { return }
        console.print("Former secrets still open these backups; delete those that you do not need:", answer.backups)
        console.print(unchecked: answer.uncheckedBackups)
    }

    private var namesSecret: Bool { asksForPassphrase || secret.isNamed }

    private var whatOpens: String {
        if secret.newRecoveryKey { return "the secret that you prove yourself with, and a new recovery key" }
        return namesSecret ? "the new secret alone" : "the secret that you prove yourself with"
    }

    /// The secrets of the vault after the rekey: the present one, unless a new one is given. The service generates a
    /// recovery key: if its answer were lost, the key would be lost too, so it is never the only secret.
    private func withSecrets(
        provenBy proof: Proof,
        _ body: ([NewSecret]) async throws(CommandFailure) -> VaultRekey.Answer
    ) async throws(CommandFailure) -> VaultRekey.Answer {
        if namesSecret, !secret.newRecoveryKey {
            return try await secret.withSecret { secret throws(CommandFailure) in try await body([secret]) }
        }
        let drawn: [NewSecret] = secret.newRecoveryKey ? [.recoveryKey] : []
        return switch proof {
        case .passphrase(let passphrase), .typedPassphrase(let passphrase):
            try await body([.passphrase(passphrase)] + drawn)
        case .key(let key): try await body([.key(key)] + drawn)
        case .recoveryKey:
            throw CommandFailure(
                .usage, "A recovery key cannot be kept through a rekey",
                fix: "Add --new-passphrase or --new-key-file PATH, and generate a new one afterwards: "
                    + "autofillctl vault slot add --new-recovery-key")
        case .prompt, .terminal: throw CommandFailure(Refusal(.proofRequired))
        }
    }
}
