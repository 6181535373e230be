// SPDX-License-Identifier: Apache-2.0

/// The options of the daemon; `DaemonCommand` documents each.
struct DaemonOptions: Equatable {
    var socket: String?
    var dataDirectory: String?
    var registrations: [String] = []
    var settings: String?
    var associations: String?
    var systemSettings: String?
    var ephemeral = false
    var vaultKey: String?
    var consent: [String] = []
}

extension DaemonOptions {
    /// Options as units and scripts give them: each `--name value`, all of them known. ArgumentParser takes as long for these as
    /// the vault takes to open.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: nil for anything else: that is for `DaemonCommand` to read, to explain or to refuse.
    init?(plain arguments: some Sequence<String>) {
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            if name == "--ephemeral" {
                ephemeral = true
                continue
            }
            guard let value = rest.next(), !value.isEmpty, !value.hasPrefix("-") else { return nil }
            switch name {
            case "--socket": socket = value
            case "--data-directory": dataDirectory = value
            case "--registrations": registrations.append(value)
            case "--settings": settings = value
            case "--associations": associations = value
            case "--system-settings": systemSettings = value
            case "--vault-key": vaultKey = value
            default: return nil
            }
        }
    }
}
