// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Reasons
import SecretMemory

/// A new passphrase.
enum NewPassphrase {
    /// From the descriptor, else typed twice on the terminal.
    static func read(_ descriptor: Int32?) throws(CommandFailure) -> SecretBytes {
        let limit = Limits.passphraseBytes
        let passphrase =
            if let descriptor {
                try HiddenInput.read(descriptor: descriptor, limit: limit)
            } else {
                try HiddenInput.askTwice(
                    "New passphrase of the vault (at least \(Limits.passphraseMinimumBytes) bytes; an ASCII letter is one): ",
                    limit: limit,
                    elsewhere: "Add --passphrase-fd N for the new passphrase, or choose a key file: see --help")
            }
        guard passphrase.count >= Limits.passphraseMinimumBytes else {
            throw CommandFailure(Refusal(.passphraseTooShort, [.limit: "\(Limits.passphraseMinimumBytes)"]))
        }
        return passphrase
    }
}
