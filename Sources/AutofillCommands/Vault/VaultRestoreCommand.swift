// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultRestoreCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the vault by a backup; the old file is kept.",
        // With so many options ArgumentParser's usage line lists none of them.
        usage: """
            autofillctl vault restore <file> [--backup-passphrase] [--backup-passphrase-fd <n>] \
            [--backup-key-file <path>] [--backup-recovery-key] [--backup-recovery-key-fd <n>] [--yes] [proof options] \
            [common options]
            """,
        discussion: """
            The backup is checked completely first; a corrupt one changes nothing. It is opened by the vault's secrets at \
            the time of the backup. If these are not the present ones, give them with --backup-….

            Replacing an existing vault needs proof. If its passphrase is forgotten, and no key file or recovery key opens \
            it, rename it first: stop autofilld, and rename vault.sqlite (autofillctl status shows its path). If the \
            backup's secrets are forgotten, nothing opens that backup.

            On a new machine restore it before a vault is created there. Settings, your own registrations and key files \
            are not in a backup. Where sync was on, decide then: autofillctl sync resume; on a new machine stop it, and join \
            again: autofillctl sync stop, autofillctl sync join.

            Examples:
              autofillctl vault restore /media/stick/vault-backup.sqlite
              autofillctl vault restore old.sqlite --backup-passphrase
              autofillctl vault restore old.sqlite --backup-recovery-key
            """)

    @Argument(help: "The backup.")
    var file: String

    @OptionGroup var backupSecret: BackupSecretOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try pathOfExistingFile(file)
        let session = try await service.session()
        // Replacing a vault that can be opened needs proof.
        let needsProof = [.locked, .unlocked].contains(session.greeting.vault)
        try confirm("Replace the vault by \(path.printable)?", unless: yes || !needsProof)
        let proof = needsProof ? try await currentSecret(session) : nil
        let secret = try backupSecret.secret(or: proof, self.proof)
        let call = VaultRestore(path: path, secret: secret, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        if format.quiet { return }
        console.print(
            "The vault was restored from \(path.printable), with \(answer.records.counted("record")), and unlocked.")
        if let replaced = answer.replaced { console.print("The former vault is kept: \(replaced.printable)") }
    }

    /// The secret of the vault; a refusal has the fix for a user who has forgotten all secrets of a locked one.
    private func currentSecret(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        do throws(CommandFailure) { return try await proof.secret(session) } catch {
            guard session.greeting.vault == .locked else { throw error }
            let path = try await session.call(Status()).daemon?.vaultPath ?? "vault.sqlite"
            throw error.adding(
                "If no secret opens the vault any more, rename it, and restore again",
                fix: "systemctl --user stop autofilld.service && mv \(path.printable.shellQuoted) "
                    + (path + ".forgotten").printable.shellQuoted)
        }
    }
}
