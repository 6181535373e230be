// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretService

/// Why the command line is invalid.
struct BridgeOptionError: Error {
    let text: String
}

/// The command line.
struct BridgeOptions {
    /// The bus's address; nil for the session bus.
    private(set) var bus: String?
    /// The daemon's socket; nil for the default.
    private(set) var socket: String?
    /// For tests: another name on the bus, how long calls wait for the user in milliseconds, and numbers in the items'
    /// paths.
    private(set) var name = SecretServiceNames.bus
    private(set) var hold = BridgeLimits.holdMilliseconds
    private(set) var isNumbered = false
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false

    init(_ arguments: ArraySlice<String>) throws(BridgeOptionError) {
        var rest = arguments
        func value(of option: String) throws(BridgeOptionError) -> String {
            guard let value = rest.popFirst() else { throw BridgeOptionError(text: "\(option) needs a value") }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--bus": bus = try value(of: option)
            case "--socket": socket = try value(of: option)
            case "--test-name": name = try value(of: option)
            case "--test-hold":
                guard let milliseconds = Int(try value(of: option)), milliseconds > 0 else {
                    throw BridgeOptionError(text: "\(option) needs milliseconds")
                }
                hold = milliseconds
            case "--test-numbered": isNumbered = true
            case "-h", "--help": wantsHelp = true
            case "--version": wantsVersion = true
            default: throw BridgeOptionError(text: "unknown option \(option)")
            }
        }
    }

    static let help = """
        autofill-secrets: provides org.freedesktop.secrets on the session bus.
        autofilld stores the items. D-Bus starts this program when it is needed.

          --bus ADDRESS    use this bus instead of the session bus
          --socket PATH    use this socket of autofilld instead of $AUTOFILLD_SOCKET
                           or $XDG_RUNTIME_DIR/autofilld/socket
          --version        print the version
          --help           print this text

        """
}
