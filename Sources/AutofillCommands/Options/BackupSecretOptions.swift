// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

/// The secret that opens a backup, or a damaged file, if it differs from the vault's.
struct BackupSecretOptions: ParsableArguments {
    @Flag(name: .customLong("backup-passphrase"), help: "Ask for the file's own passphrase.")
    var asksForPassphrase = false

    @Option(
        name: .customLong("backup-passphrase-fd"),
        help: ArgumentHelp("Read the file's own passphrase from this open descriptor (the first line).", valueName: "n")
    )
    var passphraseDescriptor: Int32?

    @Option(help: ArgumentHelp("Open the file with the key in this file of 32 bytes.", valueName: "path"))
    var backupKeyFile: String?

    @Flag(help: "Ask for the file's own recovery key.")
    var backupRecoveryKey = false

    @Option(
        name: .customLong("backup-recovery-key-fd"),
        help: ArgumentHelp("The file's own recovery key: first line of descriptor n.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    func validate() throws {
        let given = [
            asksForPassphrase, passphraseDescriptor != nil, backupKeyFile != nil, backupRecoveryKey,
            recoveryKeyDescriptor != nil,
        ]
        if given.count(where: { $0 }) > 1 { throw ValidationError("Give one of the options --backup-….") }
    }

    /// The secret; by default the proof's, or else that of the proof options.
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
        let longest = Limits.recoveryKeyBytes
        if let recoveryKeyDescriptor {
            return .recoveryKey(try HiddenInput.read(descriptor: recoveryKeyDescriptor, limit: longest))
        }
        if backupRecoveryKey {
            return .recoveryKey(
                try HiddenInput.ask(
                    "Recovery key of the backup: ", limit: longest, elsewhere: "Add --backup-recovery-key-fd N"))
        }
        if let proof { return proof }
        return try options.unchecked()
    }
}
