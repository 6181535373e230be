// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

/// A page to print with a new recovery key and what it is for.
struct RecoverySheet {
    private let vault: String
    private let printed: String

    /// Before there is a key, so that none is lost where this fails.
    init(_ session: AutofillSession) async throws(CommandFailure) {
        // A program that does not print it is a failure.
        signal(SIGPIPE, SIG_IGN)
        guard Self.hasReader else {
            throw CommandFailure(
                .system, "Nothing reads standard output; no slot was added",
                fix: "Check the program that prints the sheet")
        }
        vault = try await session.call(Status()).daemon?.vaultPath ?? "in memory"
        var (now, date) = (time(nil), tm())
        gmtime_r(&now, &date)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        printed = "\(1900 + date.tm_year)-\(digits(date.tm_mon + 1))-\(digits(date.tm_mday))"
    }

    /// Prints it with a key, which nothing else has: where that fails, the key is shown if standard error is a terminal.
    func print(_ key: SecretBytes, slot: Int, _ console: Console) throws(CommandFailure) {
        write(key, slot, console)
        do throws(CommandFailure) {
            try Console.checkOutput()
            guard Self.hasReader else {
                throw CommandFailure(.system, "The reader of standard output has ended; the command was performed")
            }
        } catch {
            if isatty(STDERR_FILENO) == 1 {
                console.printError("The recovery key of slot \(slot) is shown only once:\n")
                console.printError("  " + key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } + "\n")
            }
            throw error.adding(
                "The sheet with the recovery key of slot \(slot) is not complete",
                fix: "Remove the slot, and add another: autofillctl vault slot remove \(slot)")
        }
    }

    /// False where standard output is a pipe that no program can read.
    private static var hasReader: Bool {
        // Only errors are reported then.
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0
    }

    private func write(_ key: SecretBytes, _ slot: Int, _ console: Console) {
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
        // Where autofill-convert cannot draw it, there is none.
        if let code = try? ConverterProgram().code(of: key) {
            console.print("\nThe same as a QR code:\n")
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
