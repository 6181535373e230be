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
            VaultRekeyCommand.self,
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

    @OptionGroup var proof: ProofOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        var answer = Changed(false)
        switch session.greeting.vault {
        case "unlocked": break
        case "missing": throw CommandFailure(Refusal(.vaultMissing))
        default:
            let secret = try proof.proof()
            if case .prompt = secret {
                answer = try await session.call(VaultUnlock())
            } else {
                answer = try await session.call(VaultUnlock(secret: secret))
            }
        }
        if format.json { console.print { answer.write(to: &$0) } }
    }
}

struct VaultLockCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Locks the vault: its keys leave the memory.",
        discussion: """
            Example:
              autofillctl vault lock
            """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        let answer = try await session.call(VaultLock())
        if format.json { console.print { answer.write(to: &$0) } }
    }
}
