// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

/// The passphrase of the vault, asked for at the terminal, and again if it is wrong. The echo stays off until the last
/// answer, and what was typed meanwhile is discarded: none of it is shown, or read by the shell.
enum PassphraseDialogue {
    static let attempts = 3

    /// - Parameter check: sends it to the service, which refuses it with `proof-wrong` if it is wrong.
    static func ask(
        _ check: (SecretBytes) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> SecretBytes {
        let terminal = try Terminal(orElse: "Add --passphrase-fd N or --key-file PATH")
        defer { terminal.close() }
        let echo = try TerminalEcho(of: terminal)
        defer { echo.restore() }
        // Control-C while the service checks the passphrase.
        try Interruption.catch {
            echo.restore()
            _exit(ExitStatus.interrupted.rawValue)
        }
        var attempt = 1
        while true {
            let passphrase = try read(terminal, echo)
            do throws(CommandFailure) {
                try await check(passphrase)
                return passphrase
            } catch {
                guard attempt < attempts, error.problems.first?.code == Reason.proofWrong.rawValue else { throw error }
                terminal.write("That is not the passphrase of the vault; try again.\n")
                attempt += 1
            }
        }
    }

    private static func read(_ terminal: Terminal, _ echo: TerminalEcho) throws(CommandFailure) -> SecretBytes {
        try echo.hide(keysSendSignals: false)
        terminal.write("Passphrase of the vault: ")
        defer { terminal.write("\n") }
        let passphrase = try HiddenInput.line(
            from: terminal.descriptor, limit: Limits.passphraseBytes, interruptedBy: Terminal.interrupt)
        try echo.hide(keysSendSignals: true)
        return passphrase
    }
}
