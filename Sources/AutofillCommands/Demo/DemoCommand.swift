// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct DemoCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Demonstrates autofilld with a temporary vault.",
        discussion: """
            Starts a real daemon with a temporary vault, key file and registrations in a temporary directory; your own \
            data is not touched, and the directory is removed at the end. An app signs up and gets a strong password, the \
            daemon is killed, and the password is still there; another app, which is not set up, gets the reason. The \
            output fits on two screens, with one line per request and answer; --full shows all that is sent over the \
            socket, and --json the same as one object per line.

            Examples:
              autofillctl demo
              autofillctl demo --full
            """)

    @Flag(help: "Show every line unchanged, also autofillctl's own and the answers to hello.")
    var full = false

    @Option(
        help: ArgumentHelp(
            "The daemon's program; by default the one beside this one, or in PATH.", valueName: "path"))
    var daemon: String?

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let environment = ProcessEnvironment.current
        let executable = try DaemonProgram.find(named: daemon, environment)
        // A socket's path has to fit into 107 bytes.
        let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") && $0.utf8.count < 64 ? $0 : nil } ?? "/tmp"
        let site = try DemoSite(executable: executable, temporaryDirectory: temporary)
        defer { site.cleanUp() }
        try site.catchInterruptions()
        let printer = DemoPrinter(console: console, style: format.json ? .json : full ? .full : .short)
        do throws(CommandFailure) {
            try await Demo(site: site, executable: executable, printer: printer).run()
        } catch {
            throw site.isInterrupted ? CommandFailure(.interrupted, "Interrupted; nothing is left behind") : error
        }
    }
}
