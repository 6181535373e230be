// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol
import SecretMemory

/// Proof of the user's presence where a prompt is not accepted: the passphrase, the key or the recovery key of the
/// vault.
struct SecretProofOptions: ParsableArguments, ProofSource {
    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("The vault's passphrase: first line of descriptor n.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp("The vault's key file, instead of the passphrase.", valueName: "path"))
    var keyFile: String?

    @Flag(help: "Ask for the recovery key, instead of the passphrase.")
    var recoveryKey = false

    @Option(
        name: .customLong("recovery-key-fd"),
        help: ArgumentHelp("The recovery key: first line of descriptor n.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    func validate() throws {
        let given = [passphraseDescriptor != nil, keyFile != nil, recoveryKey, recoveryKeyDescriptor != nil]
        if given.count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --passphrase-fd, --key-file, --recovery-key and --recovery-key-fd.")
        }
    }

    /// Whether no input from the terminal is needed.
    var isGiven: Bool { passphraseDescriptor != nil || keyFile != nil || recoveryKeyDescriptor != nil }

    /// Whether any of them was given.
    var isNamed: Bool { isGiven || recoveryKey }

    func given() throws(CommandFailure) -> Proof? {
        if let keyFile { return .key(try KeyFile.read(keyFile)) }
        let longest = Limits.recoveryKeyBytes
        if let recoveryKeyDescriptor {
            return .recoveryKey(try HiddenInput.read(descriptor: recoveryKeyDescriptor, limit: longest))
        }
        if recoveryKey {
            return .recoveryKey(
                try HiddenInput.ask(
                    "Recovery key of the vault: ", limit: longest, elsewhere: "Add --recovery-key-fd N"))
        }
        return try passphraseDescriptor.map { descriptor throws(CommandFailure) in
            .passphrase(try HiddenInput.read(descriptor: descriptor, limit: Limits.passphraseBytes))
        }
    }

    /// The same, else a passphrase that is typed now and checked later: for a vault that may not open.
    func unchecked() throws(CommandFailure) -> Proof {
        if let given = try given() { return given }
        return .passphrase(
            try HiddenInput.ask(
                "Passphrase of the vault: ", limit: Limits.passphraseBytes,
                elsewhere: "Add --passphrase-fd N or --key-file PATH"))
    }
}
