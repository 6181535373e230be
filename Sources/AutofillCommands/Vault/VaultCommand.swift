// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Reasons

struct VaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Makes, unlocks and locks the vault.",
        discussion: """
            Example:
              autofillctl vault create
            """,
        subcommands: [VaultCreateCommand.self, VaultUnlockCommand.self, VaultLockCommand.self])
}

struct VaultUnlockCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlocks the vault for all apps.",
        discussion: """
            Examples:
              autofillctl vault unlock
              autofillctl vault unlock --passphrase-fd 0 < passphrase
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
            switch try proof.proof() {
            case .passphrase(let passphrase): answer = try await session.call(VaultUnlock(passphrase: passphrase))
            case .key(let key): answer = try await session.call(VaultUnlock(key: key))
            case .prompt: answer = try await session.call(VaultUnlock())
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
