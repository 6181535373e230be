// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

/// A page to print with a new recovery key and what it is for.
struct RecoverySheet {
    private let key: SecretBytes
    private let slot: Int
    private let vault: String
    private let printed: String
    /// Of the key, as lines of blocks; nil where autofill-convert cannot draw it.
    private let code: SecretBytes?

    init(
        _ key: SecretBytes, slot: Int, _ session: AutofillSession
    ) async throws(CommandFailure) {
        (self.key, self.slot) = (key, slot)
        vault = try await session.call(Status()).daemon?.vaultPath ?? "in memory"
        code = try? ConverterProgram().code(of: key)
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        printed = "\(1900 + parts.tm_year)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
    }

    func print(_ console: Console) {
        console.print(
            """
            RECOVERY KEY OF A PASSWORD VAULT (autofilld)

                user      \(ThisComputer.user.printable)
                computer  \(ThisComputer.name.printable)
                vault     \(vault.printable)
                slot      \(slot)
                printed   \(printed)

            The key:

            """)
        console.print("    ", terminator: "")
        key.withUnsafeBytes { console.print(bytes: $0) }
        console.print("")
        if let code {
            console.print("\nThe same for a camera:\n")
            console.print(qrCode: code)
        }
        console.print(
            """

            It opens the vault, and every backup from now on, without the passphrase. Whoever has
            it and a copy of the file can read all that is saved. Keep this page where you keep
            documents, and not with the computer. There are no passwords on it.

            The key has no letters b, i and o, and no digit 1: a round character is the digit
            zero, an upright one the letter L. Upper and lower case, spaces and hyphens do not
            matter; a mistake is noticed.

            To open the vault, as the user in a terminal of the computer:

                autofillctl vault unlock --recovery-key

            To set a new passphrase:

                autofillctl vault slot add --recovery-key

            On another computer install autofilld, and copy a backup there, or vault.sqlite while
            autofilld does not run. Then:

                autofillctl vault restore FILE --recovery-key
                autofillctl vault unlock --recovery-key

            If somebody else may have read this page, make another key, and the vault's key
            useless for what is saved from then on:

                autofillctl vault slot remove \(slot)
                autofillctl vault rekey
            """)
    }
}
