// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import SecretMemory

/// Whether a password is copied to the clipboard, and for how long.
struct ClipboardOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Hold the password in the clipboard, by wl-copy, xclip or xsel.")
    var copy = false

    @Option(help: ArgumentHelp("How long --copy holds it, in seconds.", valueName: "n"))
    var seconds = Clipboard.defaultSeconds

    func validate() throws {
        let range = Clipboard.seconds
        guard range.contains(seconds) else {
            throw ValidationError("--seconds is \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// The clipboard, if it is requested; opened before anything is done, so that its absence changes nothing.
    func clipboard() throws(CommandFailure) -> Clipboard? { copy ? try Clipboard() : nil }

    /// Holds a password there until the time has expired, something else is copied, or the user interrupts.
    func hold(
        _ password: SecretBytes, of user: String, in clipboard: Clipboard, _ asJSON: Bool, _ console: Console
    ) throws(CommandFailure) {
        try clipboard.hold(password, seconds: seconds) {
            guard !asJSON else { return }
            let text =
                "The password of \(user.printable) is in the clipboard for \(seconds) s; Control-C removes it."
            if console.isTerminal {
                console.print(text)
            } else if isatty(STDERR_FILENO) == 1 {
                console.printError(text)
            }
        }
    }
}
