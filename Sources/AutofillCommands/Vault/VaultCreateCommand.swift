// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

struct VaultCreateCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Makes the vault, with a passphrase, a key file, or both.",
        discussion: """
            Each is a slot: either alone opens the vault. The key file is made where it is missing.

            Examples:
              autofillctl vault create
              autofillctl vault create --key-file ~/.config/autofilld/vault.key --no-passphrase
            """)

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from this open descriptor; its first line.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Add a slot for this key file of 32 bytes; it is made, for you alone, where it is missing.",
            valueName: "path"))
    var keyFile: String?

    @Flag(name: .customLong("no-passphrase"), help: "Make a slot for the key file only.")
    var withoutPassphrase = false

    @OptionGroup var service: ServiceOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        if withoutPassphrase, keyFile == nil { throw ValidationError("--no-passphrase needs --key-file PATH.") }
        if withoutPassphrase, passphraseDescriptor != nil {
            throw ValidationError("Give --passphrase-fd or --no-passphrase, not both.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let session = try await service.session()
        guard session.greeting.vault == "missing" else { throw CommandFailure(Refusal(.vaultExists)) }
        let passphrase = withoutPassphrase ? nil : try passphrase()
        let key = try keyFile.map { path throws(CommandFailure) in try KeyFile.readOrCreate(path) }
        do throws(CommandFailure) {
            report(try await session.call(VaultCreate(passphrase: passphrase, key: key?.bytes)), console)
        } catch {
            // A key that opens nothing must not lie about and be taken for one that does.
            if let keyFile, let key, key.isNew { unlink(keyFile) }
            throw error
        }
    }

    private func passphrase() throws(CommandFailure) -> SecretBytes {
        let limit = Limits.passphraseBytes
        let passphrase =
            if let passphraseDescriptor {
                try HiddenInput.read(descriptor: passphraseDescriptor, limit: limit)
            } else {
                try HiddenInput.askTwice(
                    "New passphrase of the vault (at least \(Limits.passphraseMinimumBytes) characters): ",
                    limit: limit,
                    elsewhere: "Add --passphrase-fd N, or --key-file PATH --no-passphrase")
            }
        guard passphrase.count >= Limits.passphraseMinimumBytes else {
            throw CommandFailure(Refusal(.passphraseTooShort, [.limit: "\(Limits.passphraseMinimumBytes)"]))
        }
        return passphrase
    }

    private func report(_ answer: VaultCreate.Answer, _ console: Console) {
        if format.json { return console.print { answer.write(to: &$0) } }
        for slot in answer.slots {
            let name = slot.kind == "key" ? "key file" : slot.kind
            let lines = "\(name): \(slot.protects)".wrapped(toColumns: console.width ?? 100)
            for (index, line) in lines.enumerated() {
                console.print(index == 0 ? line : "  " + line)
            }
        }
        if let keyFile {
            console.print(
                "To open the vault with it at every start: autofillctl settings set vaultKeyFile "
                    + "\(keyFile.printable) --key-file \(keyFile.printable)"
            )
        }
    }
}
