// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import BrowserMessages
internal import EventLoop
internal import Glibc
internal import SecretMemory

/// The native messaging host: a browser starts it for the extension, exchanges messages by standard input and output, and ends it by
/// closing them. It has no access to the vault, and stores nothing.
@main
enum AutofillBrowser {
    private static let help = """
        Usage: autofill-browser ARGUMENTS-OF-A-BROWSER

        A browser starts this program for the extension of autofilld (native messaging). autofillctl browser status prints for
        each browser on this machine whether it does.

        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--version") { return print("\(ProductVersion.text)\n", to: STDOUT_FILENO) }
        if arguments.contains("--help") { return print(help, to: STDOUT_FILENO) }
        guard let browser = SupportedBrowser.calling(arguments) else {
            print(
                "autofill-browser: only a browser starts this, for the extension of autofilld.\n\(help)",
                to: STDERR_FILENO)
            exit(EX_USAGE)
        }
        signal(SIGPIPE, SIG_IGN)
        ProcessSecrecy.forbidCoreDumps()
        do throws(LoopError) {
            let loop = try EventLoop()
            try Host(for: Caller(calledAs: browser), on: loop).run()
        } catch {
            print("autofill-browser: \(error)\n", to: STDERR_FILENO)
            exit(EX_OSERR)
        }
    }

    private static func print(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}
