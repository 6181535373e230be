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

    /// The proof, from the options, else from the terminal: a passphrase that was typed there earlier is used while the
    /// service accepts it, and one that is typed now stays valid there for the next commands.
    func proof(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        guard !isGiven, !recoveryKey else { return try proof() }
        if Terminal.isThere, try await session.call(Status()).terminalProofSeconds != nil { return .terminal }
        return .typedPassphrase(try Self.typedPassphrase())
    }

    /// The same if only the secret itself is accepted.
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
        if let passphraseDescriptor {
            return .passphrase(
                try HiddenInput.read(descriptor: passphraseDescriptor, limit: Limits.passphraseBytes))
        }
        return .passphrase(try Self.typedPassphrase())
    }

    private static func typedPassphrase() throws(CommandFailure) -> SecretBytes {
        try HiddenInput.ask(
            "Passphrase of the vault: ", limit: Limits.passphraseBytes,
            elsewhere: "Add --passphrase-fd N or --key-file PATH")
    }
}
