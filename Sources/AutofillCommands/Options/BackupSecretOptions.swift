// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

/// What opens a backup, or a damaged file, where that is not what opens the vault.
struct BackupSecretOptions: ParsableArguments {
    @Flag(name: .customLong("backup-passphrase"), help: "Ask for another passphrase, which opens the file.")
    var asksForPassphrase = false

    @Option(
        name: .customLong("backup-passphrase-fd"),
        help: ArgumentHelp("Read that passphrase from this open descriptor; its first line.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(help: ArgumentHelp("Open the file with the key in this file of 32 bytes.", valueName: "path"))
    var backupKeyFile: String?

    func validate() throws {
        if [asksForPassphrase, passphraseDescriptor != nil, backupKeyFile != nil].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --backup-passphrase, --backup-passphrase-fd and --backup-key-file.")
        }
    }

    /// The secret; where none is given the proof's, else what the options of the proof give.
    func secret(or proof: Proof?, _ options: SecretProofOptions) throws(CommandFailure) -> Proof {
        if let backupKeyFile { return .key(try KeyFile.read(backupKeyFile)) }
        let limit = Limits.passphraseBytes
        if let passphraseDescriptor {
            return .passphrase(try HiddenInput.read(descriptor: passphraseDescriptor, limit: limit))
        }
        if asksForPassphrase {
            return .passphrase(
                try HiddenInput.ask(
                    "Passphrase of the backup: ", limit: limit, elsewhere: "Add --backup-passphrase-fd N"))
        }
        if let proof { return proof }
        return try options.proof()
    }
}
