// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc

/// The program's arguments. Parsed here and not by a package, which would be half of the program.
package struct FetcherOptions: Sendable {
    package private(set) var ground = TestingGround()
    package private(set) var timeLimit = Limits.associationMilliseconds
    /// The user requests the help, or the version.
    package private(set) var wantsHelp = false, wantsVersion = false

    /// - Parameter arguments: without the program's name; `--option value`, `--option=value`.
    package init(_ arguments: some Sequence<String>) throws(OptionError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let fields = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(fields[0])
            switch (name, fields.count) {
            case ("--help", 1), ("-h", 1): wantsHelp = true
            case ("--version", 1): wantsVersion = true
            case ("--test-all-modes", 1): ground.coversStandardMode = true
            default:
                guard let kind = Value(rawValue: name) else { throw .unknown(name) }
                guard let text = fields.count == 2 ? String(fields[1]) : rest.popFirst() else { throw .missing(name) }
                try set(text, as: kind)
            }
        }
    }

    private enum Value: String {
        case address = "--address"
        case allowed = "--allow-address"
        case port = "--port"
        case authority = "--certificate-authority"
        case timeLimit = "--test-time-limit"
    }

    private mutating func set(_ text: String, as kind: Value) throws(OptionError) {
        switch kind {
        case .address:
            guard let address = NetworkAddress(text) else { throw .wrong(kind.rawValue, "an IP address") }
            ground.address = address
        case .allowed:
            guard let range = AddressRange(text) else {
                throw .wrong(kind.rawValue, "addresses with a prefix length, such as 127.0.0.1/32")
            }
            ground.allowed.append(range)
        case .port:
            guard let port = Int(text), (1...65_535).contains(port) else { throw .wrong(kind.rawValue, "1 to 65535") }
            ground.port = port
        case .authority:
            guard access(text, R_OK) == 0 else { throw .wrong(kind.rawValue, "a file that can be read") }
            ground.authority = text
        case .timeLimit:
            guard let limit = Int(text), limit > 0 else { throw .wrong(kind.rawValue, "milliseconds") }
            timeLimit = min(limit, Limits.associationMilliseconds)
        }
    }

    package static let help = """
        OVERVIEW: Fetches sites' associations for autofilld.

        systemd starts it when autofilld has something to fetch, and it ends after a minute without.

        The options lead a query with ?mode=developer to a test server, and no other query: for a developer's own \
        drop-in of autofill-associations.service.

        Exit status: 0 nothing more to do, 64 wrong options, 71 the system refused something.

        USAGE: autofill-associations [options]

        OPTIONS:
          --address <address>     The address of every site, instead of the name server's.
          --allow-address <range> Addresses that may be reached though they are not public, 127.0.0.1/32; may be repeated.
          --port <port>           The port of every site, instead of 443.
          --certificate-authority <file>
                                  Certificates that are trusted besides the system's, in a PEM file.
          --test-all-modes        Let the options count for every query. For the tests of autofilld.
          --test-time-limit <milliseconds>
                                  The time limit of a site in milliseconds, instead of 10,000. For the tests of autofilld.
          --version               Show the version.
          -h, --help              Show help information.

        """
}

/// Why the arguments cannot be used.
package enum OptionError: Error, Hashable, CustomStringConvertible {
    case unknown(String)
    case missing(String)
    /// An option, and its value.
    case wrong(String, String)

    package var description: String {
        switch self {
        case .unknown(let name): "there is no option \(name)"
        case .missing(let name): "\(name) needs a value"
        case .wrong(let name, let wanted): "\(name) requires \(wanted)"
        }
    }
}
