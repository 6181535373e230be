// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import Glibc

/// The secret of a new slot: by default a passphrase.
struct NewSecretOptions: ParsableArguments {
    @Option(
        name: .customLong("new-passphrase-fd"),
        help: ArgumentHelp("Read the new passphrase from this open descriptor (the first line).", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Use this key file of 32 bytes; if it is missing, it is created, readable by you alone.", valueName: "path")
    )
    var newKeyFile: String?

    @Flag(help: "Generate a recovery key, which is shown once.")
    var newRecoveryKey = false

    /// Whether any of them was given.
    var isNamed: Bool { passphraseDescriptor != nil || newKeyFile != nil || newRecoveryKey }

    func validate() throws {
        if [passphraseDescriptor != nil, newKeyFile != nil, newRecoveryKey].count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --new-passphrase-fd, --new-key-file and --new-recovery-key.")
        }
    }

    /// Reads or creates it, and calls `body` with it; a new key file that is certainly unused is removed.
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
