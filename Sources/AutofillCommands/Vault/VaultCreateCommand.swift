// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc
import Reasons

struct VaultCreateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Creates the vault and its slots.",
        discussion: """
            Each secret has a slot, and any one of them opens the vault. A missing key file is created. The recovery key is \
            shown once; write it down.

            Examples:
              autofillctl vault create --recovery-key
              autofillctl vault create --key-file ~/.config/vault.key --no-passphrase
            """)

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from this open descriptor (the first line).", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Add a slot for this key file of 32 bytes; if it is missing, it is created, readable by you alone.",
            valueName: "path"))
    var keyFile: String?

    @Flag(name: .customLong("no-passphrase"), help: "Create a slot for the key file only.")
    var withoutPassphrase = false

    @Flag(help: "Also generate a recovery key, and show it.")
    var recoveryKey = false

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if withoutPassphrase, keyFile == nil { throw ValidationError("--no-passphrase needs --key-file PATH.") }
        if withoutPassphrase, passphraseDescriptor != nil {
            throw ValidationError("Give --passphrase-fd or --no-passphrase, not both.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        if [.locked, .unlocked].contains(session.greeting.vault) { throw CommandFailure(Refusal(.vaultExists)) }
        // An existing vault that cannot be opened also prevents this: the daemon reports the reason.
        if session.greeting.vault != .missing { _ = try await session.call(VaultUnlock()) }
        let passphrase = withoutPassphrase ? nil : try NewPassphrase.read(passphraseDescriptor)
        let key = try keyFile.map { path throws(CommandFailure) in try KeyFile.readOrCreate(path) }
        let answer: VaultCreate.Answer
        do throws(CommandFailure) {
            let secrets: [NewSecret?] = [
                passphrase.map(NewSecret.passphrase), (key?.bytes).map(NewSecret.key), recoveryKey ? .recoveryKey : nil,
            ]
            answer = try await session.call(VaultCreate(secrets: secrets.compactMap(\.self)))
        } catch {
            // A key file that opens nothing must not remain, because it could be mistaken for a valid one.
            if let keyFile, let key, key.isNew { throw KeyFile.ended(keyFile, by: error) }
            throw error
        }
        try report(answer, console)
    }

    private func report(_ answer: VaultCreate.Answer, _ console: Console) throws(CommandFailure) {
        if format.json { return console.print { answer.write(to: &$0) } }
        if !format.quiet { for slot in answer.slots { console.print(slot) } }
        if let recoveryKey = answer.recoveryKey { console.print(recoveryKey: recoveryKey) }
        if let keyFile, !format.quiet {
            let path = try absolutePath(keyFile).printable.shellQuoted
            console.print("To open the vault with the key file at every start:")
            console.print("  autofillctl settings set vaultKeyFile \(path) --key-file \(path)")
        }
    }
}
