// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import Glibc

/// The secret of a new slot: a passphrase where nothing else is named.
struct NewSecretOptions: ParsableArguments {
    @Option(
        name: .customLong("new-passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from this open descriptor; its first line.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Take this key file of 32 bytes; it is made, for you alone, where it is missing.", valueName: "path"))
    var newKeyFile: String?

    @Flag(help: "Draw a recovery key, which is shown once.")
    var newRecoveryKey = false

    /// Whether any of them was given.
    var isNamed: Bool { passphraseDescriptor != nil || newKeyFile != nil || newRecoveryKey }

    func validate() throws {
        if [passphraseDescriptor != nil, newKeyFile != nil, newRecoveryKey].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --new-passphrase-fd, --new-key-file and --new-recovery-key.")
        }
    }

    /// Reads or makes it, and gives it to `body`; a key file that was made for nothing for certain is removed.
    func withSecret<Result>(
        _ body: (NewSecret) async throws(CommandFailure) -> Result
    ) async throws(CommandFailure) -> Result {
        if newRecoveryKey { return try await body(.recoveryKey) }
        guard let newKeyFile else { return try await body(.passphrase(try NewPassphrase.read(passphraseDescriptor))) }
        let key = try KeyFile.readOrCreate(newKeyFile)
        do throws(CommandFailure) { return try await body(.key(key.bytes)) } catch {
            throw key.isNew ? KeyFile.ended(newKeyFile, by: error) : error
        }
    }
}
