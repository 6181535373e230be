// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Makes, unlocks, locks, checks and keeps the vault.",
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
        var answer = VaultUnlock.Answer(changed: false, findings: 0)
        switch session.greeting.vault {
        case .unlocked: break
        case .missing: throw CommandFailure(Refusal(.vaultMissing))
        case .locked:
            let secret = try await proof.proof(session)
            if case .prompt = secret {
                answer = try await session.call(VaultUnlock())
            } else {
                answer = try await session.call(VaultUnlock(secret: secret))
            }
        // Nothing opens what cannot be read: the daemon says why, and no passphrase is asked for.
        case .unusable, nil: answer = try await session.call(VaultUnlock())
        }
        if format.json { return console.print { answer.write(to: &$0) } }
        if let backup = answer.backup {
            console.print(
                "The vault was brought to the present format. As it was before it is kept: \(backup.printable)")
        }
        guard answer.findings > 0 else { return }
        console.print("The vault is unlocked, and not sound (findings: \(answer.findings)).")
        console.print("Check and repair it: autofillctl vault check --repair")
    }
}

struct VaultLockCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Locks the vault: its keys leave the memory.",
        discussion: """
            Example:
              autofillctl vault lock
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(VaultLock())
        if format.json { console.print { answer.write(to: &$0) } }
    }
}
