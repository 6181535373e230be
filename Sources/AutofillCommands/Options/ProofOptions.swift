// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

/// Proof of the user's presence: a secret of the vault, or a prompt that the service displays.
struct ProofOptions: ParsableArguments, ProofSource {
    @OptionGroup var secret: SecretProofOptions

    @Flag(help: "Let autofilld prompt you in your session.")
    var prompt = false

    func validate() throws {
        if prompt, secret.isGiven || secret.recoveryKey {
            throw ValidationError(
                "Give one of --passphrase-fd, --key-file, --recovery-key, --recovery-key-fd and --prompt.")
        }
    }

    /// Whether no input from the terminal is needed.
    var isGiven: Bool { secret.isGiven || prompt }

    /// Whether any of them was given.
    var isNamed: Bool { secret.isNamed || prompt }

    func given() throws(CommandFailure) -> Proof? { prompt ? .prompt : try secret.given() }
}
