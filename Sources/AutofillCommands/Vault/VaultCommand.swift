// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Creates, unlocks, checks and backs up the vault.",
        discussion: """
            Example:
              autofillctl vault create
            """,
        subcommands: [
            VaultCreateCommand.self, VaultUnlockCommand.self, VaultLockCommand.self, SlotCommand.self,
            VaultCheckCommand.self, VaultBackupCommand.self, BackupListCommand.self, VaultRestoreCommand.self,
            VaultSalvageCommand.self, VaultQuarantineCommand.self, VaultRekeyCommand.self,
        ])
}

struct VaultUnlockCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlocks the vault for all apps.",
        discussion: """
            If the passphrase is forgotten, each other slot still opens the vault: a key file, or the recovery key. With it \
            set a new passphrase: autofillctl vault slot change SLOT --recovery-key (autofillctl vault slot list shows the \
            slots). Without another slot nothing opens the vault: see autofillctl vault restore.

            Examples:
              autofillctl vault unlock
              autofillctl vault unlock --passphrase-fd 0 < passphrase
              autofillctl vault unlock --recovery-key
            """)

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer: VaultUnlock.Answer =
            switch session.greeting.vault {
            case .unlocked: VaultUnlock.Answer(changed: false, findings: 0)
            case .missing: throw CommandFailure(Refusal(.vaultMissing))
            case .locked: try await proof.unlock(session).answer
            // No secret opens a vault that cannot be read: the daemon reports the reason, and no passphrase is asked for.
            case .unusable, nil: try await session.call(VaultUnlock())
            }
        if format.json { return console.print { answer.write(to: &$0) } }
        for notice in answer.notices { console.print(notice) }
        if answer.notices.isEmpty {
            format.report(answer.changed ? "The vault is unlocked." : "The vault was unlocked already.", console)
        }
    }
}

extension VaultUnlock.Answer {
    /// What users must be notified of.
    var notices: [String] {
        var notices: [String] = []
        if let backup {
            notices.append(
                "The vault was converted to the current format. The former file is kept: \(backup.printable)")
        }
        if findings > 0 {
            notices.append("The vault is unlocked, but corrupt (findings: \(findings)).")
            notices.append("To list the findings and repair it: autofillctl vault check --repair")
        }
        return notices
    }
}

struct VaultLockCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Locks the vault, and erases its keys from memory.",
        discussion: """
            Example:
              autofillctl vault lock
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(VaultLock())
        if format.json { return console.print { answer.write(to: &$0) } }
        format.report(answer.changed ? "The vault is locked." : "The vault was locked already.", console)
    }
}
