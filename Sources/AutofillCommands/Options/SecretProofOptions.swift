// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

/// What shows that the person is there, where a prompt will not do: the passphrase, the key or the recovery key of the
/// vault.
struct SecretProofOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("Read the vault's passphrase from this open descriptor; its first line.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Use the vault's key in this file of 32 bytes, in place of the passphrase.", valueName: "path"))
    var keyFile: String?

    @Flag(help: "Use the vault's recovery key, in place of the passphrase: it is asked for on the terminal.")
    var recoveryKey = false

    @Option(
        name: .customLong("recovery-key-fd"),
        help: ArgumentHelp("Read the vault's recovery key from this open descriptor; its first line.", valueName: "n"))
    var recoveryKeyDescriptor: Int32?

    func validate() throws {
        let given = [passphraseDescriptor != nil, keyFile != nil, recoveryKey, recoveryKeyDescriptor != nil]
        if given.count(where: { $0 }) > 1 {
            throw ValidationError("Give one of --passphrase-fd, --key-file, --recovery-key and --recovery-key-fd.")
        }
    }

    /// Whether nothing has to be asked on the terminal.
    var isGiven: Bool { passphraseDescriptor != nil || keyFile != nil || recoveryKeyDescriptor != nil }

    /// The proof, from where the options say, else from the terminal.
    func proof() throws(CommandFailure) -> Proof {
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
        let limit = Limits.passphraseBytes
        if let passphraseDescriptor {
            return .passphrase(try HiddenInput.read(descriptor: passphraseDescriptor, limit: limit))
        }
        return .passphrase(
            try HiddenInput.ask(
                "Passphrase of the vault: ", limit: limit, elsewhere: "Add --passphrase-fd N or --key-file PATH"))
    }
}
