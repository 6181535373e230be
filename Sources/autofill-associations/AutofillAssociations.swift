// SPDX-License-Identifier: Apache-2.0
internal import AssociationFetch
internal import AutofillProtocol
internal import Glibc
internal import Systemd

/// Fetches the statements of sites about their apps, for the daemon, which has no network access. This program has no
/// vault.
@main
struct AutofillAssociations {
    static func main() {
        do throws(OptionError) {
            let options = try FetcherOptions(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return write(FetcherOptions.help, to: STDOUT_FILENO) }
            if options.wantsVersion { return write("\(ProductVersion.text)\n", to: STDOUT_FILENO) }
            serve(options)
        } catch {
            write("autofill-associations: \(error). See autofill-associations --help.\n", to: STDERR_FILENO)
            exit(EX_USAGE)
        }
    }

    private static func serve(_ options: FetcherOptions) {
        signal(SIGPIPE, SIG_IGN)
        do {
            guard let socket = try ServiceEnvironment.ofThisProcess().activationSockets().first else {
                write(
                    "autofill-associations: no socket: systemd starts this program, by autofill-associations.socket.\n",
                    to: STDERR_FILENO)
                exit(EX_USAGE)
            }
            let fetcher = try AssociationFetcher(
                testing: options.ground, timeLimit: .milliseconds(options.timeLimit))
            let server = AssociationServer(
                fetcher: fetcher, descriptor: socket.descriptor, idleLimit: .seconds(60))
            try server.serve()
        } catch {
            write("autofill-associations: \(error)\n", to: STDERR_FILENO)
            exit(EX_OSERR)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
