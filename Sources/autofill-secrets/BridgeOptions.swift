// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretService

/// What cannot be made out of the command line.
struct BridgeOptionError: Error {
    let text: String
}

/// The command line.
struct BridgeOptions {
    /// The bus's address; nil for the session's own.
    private(set) var bus: String?
    /// The daemon's socket; nil for where it listens.
    private(set) var socket: String?
    /// For tests: another name on the bus, how long calls wait for the person in milliseconds, and numbers in the items' paths.
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
        autofill-secrets: org.freedesktop.secrets on the session's bus, kept by autofilld. D-Bus starts it.

          --bus ADDRESS    the bus, in place of the session's
          --socket PATH    the socket of autofilld, in place of $AUTOFILLD_SOCKET and $XDG_RUNTIME_DIR/autofilld/socket
          --version        the version
          --help           this text

        """
}
