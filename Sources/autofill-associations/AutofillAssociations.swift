// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AssociationFetch
internal import AutofillProtocol
internal import Systemd

#if canImport(Glibc)
    internal import Glibc
#endif

/// Fetches what sites say of their apps, for the daemon, which has no network of its own. This program has no vault.
@main
struct AutofillAssociations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autofill-associations",
        abstract: "Fetches sites' associations for autofilld.",
        discussion: """
            systemd starts it when autofilld has something to fetch, and it ends after a minute without.

            The options lead a query with ?mode=developer to a test server, and no other query: for a developer's own \
            drop-in of autofill-associations.service.

            Exit status: 0 nothing more to do, 64 wrong options, 71 the system refused something.
            """,
        version: ProductVersion.text)

    @Option(help: ArgumentHelp("The address of every site, in place of the name server's.", valueName: "address"))
    var address: String?

    @Option(
        help: ArgumentHelp(
            "Addresses that may be reached though they are not public, 127.0.0.1/32; may be repeated.",
            valueName: "range"))
    var allowAddress: [String] = []

    @Option(help: "The port of every site, in place of 443.")
    var port: Int?

    @Option(
        help: ArgumentHelp("Certificates that are trusted besides the system's, in a PEM file.", valueName: "file"))
    var certificateAuthority: String?

    @Flag(help: "Let the options count for every query. For the tests of autofilld.")
    var testAllModes = false

    @Option(help: "Milliseconds that a site is asked, in place of 10,000. For the tests of autofilld.")
    var testTimeLimit: Int?

    func validate() throws {
        guard address.map({ NetworkAddress($0) != nil }) ?? true else {
            throw ValidationError("--address takes an IP address")
        }
        guard allowAddress.allSatisfy({ AddressRange($0) != nil }) else {
            throw ValidationError("--allow-address takes addresses with a prefix length, such as 127.0.0.1/32")
        }
        guard port.map((1...65_535).contains) ?? true else { throw ValidationError("--port takes 1 to 65535") }
        guard certificateAuthority.map({ access($0, R_OK) == 0 }) ?? true else {
            throw ValidationError("--certificate-authority names a file that cannot be read")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let sockets = try ServiceEnvironment.ofThisProcess().activationSockets().map(\.descriptor)
        guard let socket = sockets.first else {
            throw ValidationError("no socket: systemd starts this program, by autofill-associations.socket")
        }
        let ground = TestingGround(
            address: address.flatMap { NetworkAddress($0) }, allowed: allowAddress.compactMap { AddressRange($0) },
            port: port, authority: certificateAuthority, coversStandardMode: testAllModes)
        let limit = min(testTimeLimit ?? Limits.associationMilliseconds, Limits.associationMilliseconds)
        let fetcher = AssociationFetcher(testing: ground, timeLimit: .milliseconds(limit))
        let server = AssociationServer(fetcher: fetcher, idleLimit: .seconds(60))
        try await server.serve(descriptor: socket)
    }
}
