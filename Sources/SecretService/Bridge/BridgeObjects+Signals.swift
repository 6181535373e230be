// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// Signals. None is broadcast: what happens to a program's items is told to that program alone.
extension SecretBridge {
    /// Tells of an object, to all connections of the program that a caller is of.
    func signal(
        _ subject: SecretPath, _ member: String, from source: SecretPath, _ interface: String, to caller: Caller
    ) {
        for name in connections(of: caller) {
            try? surroundings.bus.signal(to: name, source.text, interface, member) { message throws(BusError) in
                try message.append(subject.text, type: "o")
            }
        }
    }

    /// `PropertiesChanged`.
    func signalChanged(
        _ properties: [(name: String, value: PropertyValue)], of path: SecretPath, _ interface: String,
        to caller: Caller
    ) {
        for name in connections(of: caller) { signalChanged(properties, of: path, interface, toName: name) }
    }

    private func signalChanged(
        _ properties: [(name: String, value: PropertyValue)], of path: SecretPath, _ interface: String,
        toName name: String
    ) {
        try? surroundings.bus.signal(to: name, path.text, Interface.properties, "PropertiesChanged") {
            message throws(BusError) in
            try message.append(interface)
            try message.write("a", of: "{sv}") { () throws(BusError) in
                for property in properties { try message.append(property.name, property.value) }
            }
            try message.append([], type: "s")
        }
    }

    /// The vault was opened or locked, and with it the collection that is always there.
    func signalLocked(_ isLocked: Bool, to caller: Caller) {
        signalChanged(
            [("Locked", .bool(isLocked))], of: .collection(token: SecretServiceNames.login), Interface.collection,
            toName: caller.name)
        try? surroundings.bus.signal(
            to: caller.name, SecretServiceNames.root, Interface.service, "CollectionChanged"
        ) { message throws(BusError) in
            try message.append(SecretPath.collection(token: SecretServiceNames.login).text, type: "o")
        }
    }

    private func connections(of caller: Caller) -> [String] {
        guard let app = caller.app, let process = caller.keychain.link.process?.process else { return [] }
        // One that the daemon has not named yet may be of the same process.
        return callers.values.filter { $0.app == app || $0.keychain.link.process?.process == process }.map(\.name)
    }
}
