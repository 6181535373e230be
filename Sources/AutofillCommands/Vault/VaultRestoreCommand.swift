// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultRestoreCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Puts a backup in the vault's place; the vault is kept.",
        discussion: """
            The backup is looked at from end to end first; one that is not sound changes nothing. It is opened by what \
            opened the vault when it was made. Where that is not what opens the vault now, say how with --backup-….

            The vault that is there is replaced by whoever can open it. Where its passphrase is forgotten, and no key file \
            or recovery key opens it either, put it aside before: stop autofilld, and give vault.sqlite (autofillctl status \
            shows where it is) another name. Where the backup's is forgotten, nothing opens that backup.

            Examples:
              autofillctl vault restore /media/stick/vault-backup.sqlite
              autofillctl vault restore old.sqlite --backup-passphrase
            """)

    @Argument(help: "The backup.")
    var file: String

    @OptionGroup var backupSecret: BackupSecretOptions

    @Flag(help: "Do not ask before.")
    var yes = false

    @OptionGroup(title: "Proof Options") var proof: SecretProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try pathOfExistingFile(file)
        let session = try await service.session()
        // Where there is a vault that can be opened, it is its owner who replaces it.
        let needsProof = [.locked, .unlocked].contains(session.greeting.vault)
        if session.greeting.vault == .locked { throw try await locked(session) }
        try confirm("Put \(path.printable) in the place of the vault?", unless: yes || !needsProof)
        let proof = needsProof ? try proof.proof() : nil
        let secret = try backupSecret.secret(or: proof, self.proof)
        let call = VaultRestore(path: path, secret: secret, proof: proof)
        let answer = try await session.call(call, showingProgressOn: format.json ? nil : console)
        if format.json { return console.print(json: { answer.write(to: &$0) }) }
        console.print("The vault is \(path.printable) now, with \(answer.records.counted("record")), and unlocked.")
        if let replaced = answer.replaced { console.print("The one before is kept: \(replaced.printable)") }
    }

    /// Who has forgotten all that opens the vault puts it aside.
    private func locked(_ session: AutofillSession) async throws(CommandFailure) -> CommandFailure {
        let path = try await session.call(Status()).vaultPath ?? "vault.sqlite"
        return CommandFailure(Refusal(.vaultLocked)).adding(
            "Where nothing opens it any more, put it aside, and restore again",
            fix:
                "systemctl --user stop autofilld.service && mv \(path.shellQuoted) \((path + ".forgotten").shellQuoted)"
        )
    }
}
