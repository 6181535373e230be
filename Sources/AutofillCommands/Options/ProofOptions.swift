// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillClient
import AutofillProtocol

/// What shows that the person is there: a secret of the vault's, or a prompt that the service shows.
struct ProofOptions: ParsableArguments {
    @OptionGroup var secret: SecretProofOptions

    @Flag(help: "Have autofilld ask you, by a prompt in your session.")
    var prompt = false

    func validate() throws {
        if prompt, secret.isGiven || secret.recoveryKey {
            throw ValidationError(
                "Give one of --passphrase-fd, --key-file, --recovery-key, --recovery-key-fd and --prompt.")
        }
    }

    /// Whether nothing has to be asked on the terminal.
    var isGiven: Bool { secret.isGiven || prompt }

    /// Whether any of them was given.
    var isNamed: Bool { isGiven || secret.recoveryKey }

    /// The proof, from where the options say, else from the terminal: what was typed there a while ago may do.
    func proof(_ session: AutofillSession) async throws(CommandFailure) -> Proof {
        prompt ? .prompt : try await secret.proof(session)
    }

    /// The same where only the secret itself does.
    func proof() throws(CommandFailure) -> Proof { prompt ? .prompt : try secret.proof() }
}
