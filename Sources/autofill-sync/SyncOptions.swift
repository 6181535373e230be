// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Why the command line is invalid.
struct SyncOptionError: Error {
    let text: String
}

/// The command line.
struct SyncOptions {
    /// nil for the daemon's.
    private var spool: String?
    /// What git and ssh may read of the home besides.
    private(set) var readable: [String] = []
    private(set) var isOnce = false
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false

    init(_ arguments: ArraySlice<String>) throws(SyncOptionError) {
        var rest = arguments
        while let option = rest.popFirst() {
            switch option {
            case "--spool": spool = try Self.path(&rest, of: option)
            case "--read":
                let path = try Self.path(&rest, of: option)
                guard path.hasPrefix("/") else { throw SyncOptionError(text: "\(option) needs an absolute path") }
                readable.append(path)
            case "--once": isOnce = true
            case "-h", "--help": wantsHelp = true
            case "--version": wantsVersion = true
            default: throw SyncOptionError(text: "unknown option \(option)")
            }
        }
    }

    private static func path(
        _ rest: inout ArraySlice<String>, of option: String
    ) throws(SyncOptionError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw SyncOptionError(text: "\(option) needs a path") }
        return value
    }

    func spoolPath() throws(SyncOptionError) -> String {
        if let spool { return spool }
        func absolute(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map({ $0 + "/.local/share" }) else {
            throw SyncOptionError(text: "HOME is not set to an absolute path")
        }
        return data + "/autofilld/sync"
    }

    static let help = """
        autofill-sync: carries sealed files between autofilld and a folder or git remote.
        autofilld determines what is carried. systemd starts this program while sync is on.

          --spool DIR   use this directory instead of $XDG_DATA_HOME/autofilld/sync
                        or ~/.local/share/autofilld/sync
          --read PATH   with a git remote, let git and ssh read this file or directory
                        of your home besides ~/.ssh; may be given several times
          --once        carry what is due, and exit: 0 done, 75 a problem remains
          --version     print the version
          --help        print this text

        """
}
