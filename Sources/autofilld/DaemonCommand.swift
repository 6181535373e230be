// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AutofillProtocol
internal import Reasons

struct DaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autofilld",
        abstract: "Password AutoFill and Automatic Strong Passwords for the Linux desktop: the per-user service.",
        discussion: """
            Usually systemd starts it when an app connects. By hand, for an app's own tests:

              autofilld --ephemeral --socket /tmp/af.sock --registrations ./apps --consent allow

            Exit status: 0 stopped on request, 64 wrong options, 69 the vault or the socket is held by another daemon, \
            71 the system refused something.
            """,
        version: ProductVersion.text)

    @Option(help: ArgumentHelp("Make and serve this socket instead of systemd's.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("Where the vault is ($XDG_DATA_HOME/autofilld).", valueName: "dir"))
    var dataDirectory: String?

    @Option(
        help: ArgumentHelp(
            "A directory of registrations, instead of the usual ones; may be repeated.", valueName: "dir"))
    var registrations: [String] = []

    @Option(help: ArgumentHelp("The settings ($XDG_CONFIG_HOME/autofilld/settings.json).", valueName: "file"))
    var settings: String?

    @Option(
        help: ArgumentHelp(
            "The socket of autofill-associations ($XDG_RUNTIME_DIR/autofill-associations/socket; with --socket none).",
            valueName: "path"))
    var associations: String?

    @Option(
        help: ArgumentHelp("The administrator's settings (/etc/autofilld/settings.json).", valueName: "file"))
    var systemSettings: String?

    @Flag(help: "Keep the vault in memory only. For tests; needs --socket.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp(
            "A file of 32 bytes, made where it is missing: the key of the vault in memory, for commands that need proof "
                + "(autofillctl … --key-file FILE). Only with --ephemeral.", valueName: "file"))
    var vaultKey: String?

    @Option(
        name: .customLong("consent"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "What answers instead of the user: allow, deny, or script FILE. It gives no passphrase. Only with --ephemeral.",
            valueName: "allow|deny|script FILE"))
    var consent: [String] = []

    @Flag(help: .hidden)
    var printCatalog = false

    @Flag(help: "Print the protocol as an OpenRPC document, and end.")
    var printSchema = false

    func run() throws {
        if printCatalog { return print(JournalCatalog.text, terminator: "") }
        if printSchema { return print(OpenRPC.document) }
        Daemon(options: options).run()
    }

    var options: DaemonOptions {
        DaemonOptions(
            socket: socket, dataDirectory: dataDirectory, registrations: registrations, settings: settings,
            associations: associations, systemSettings: systemSettings, ephemeral: ephemeral, vaultKey: vaultKey,
            consent: consent)
    }
}
