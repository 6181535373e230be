// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// Signals. None is broadcast: a program receives only the signals about its own items.
extension BridgeObjects {
    /// Sends a signal about an object to all connections of the caller's program.
    func signal(
        _ subject: SecretPath, _ member: String, from source: SecretPath, _ interface: String, to caller: Caller
    ) {
        for name in connections(of: caller) {
            try? environment.bus.signal(to: name, source.text, interface, member) { message throws(BusError) in
                try message.append(subject.text, type: "o")
            }
        }
    }

    /// Signals that an item was created or changed. Returns its path.
    @discardableResult
    func signalItem(_ id: String, in token: String, isNew: Bool, _ caller: Caller) -> String {
        let path = path(of: id, in: token)
        signal(
            path, isNew ? "ItemCreated" : "ItemChanged", from: .collection(token: token), Interface.collection,
            to: caller)
        return path.text
    }

    func signalDeletion(of id: String, in collection: SecretCollection?, _ caller: Caller) {
        caller.seen.forget(id)
        if let collection, collection.record == id {
            return signal(
                .collection(token: collection.token), "CollectionDeleted", from: .service, Interface.service,
                to: caller)
        }
        let token = collection?.token ?? (SessionItems.has(id) ? CollectionToken.session : SecretServiceNames.login)
        signal(
            path(of: id, in: token), "ItemDeleted", from: .collection(token: token), Interface.collection, to: caller)
    }

    /// `PropertiesChanged`.
    func signalChanged(
        _ properties: [Property], of path: SecretPath, _ interface: String, to caller: Caller
    ) {
        for name in connections(of: caller) { signalChanged(properties, of: path, interface, toName: name) }
    }

    private func signalChanged(_ properties: [Property], of path: SecretPath, _ interface: String, toName name: String)
    {
        try? environment.bus.signal(to: name, path.text, Interface.properties, "PropertiesChanged") {
            message throws(BusError) in
            try message.append(interface)
            try message.append(properties)
            try message.append([], type: "s")
        }
    }

    /// The vault was unlocked or locked, and with it the permanent collection.
    func signalLocked(_ isLocked: Bool, to caller: Caller) {
        signalChanged(
            [("Locked", .bool(isLocked))], of: .collection(token: SecretServiceNames.login), Interface.collection,
            toName: caller.name)
        try? environment.bus.signal(
            to: caller.name, SecretServiceNames.root, Interface.service, "CollectionChanged"
        ) { message throws(BusError) in
            try message.append(SecretPath.collection(token: SecretServiceNames.login).text, type: "o")
        }
    }

    private func connections(of caller: Caller) -> [String] {
        guard let app = caller.app, let process = caller.keychain.link.process?.process else { return [] }
        // A connection that the daemon has not identified yet may belong to the same process.
        return callers.values.filter { $0.app == app || $0.keychain.link.process?.process == process }.map(\.name)
    }
}
