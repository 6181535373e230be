// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// `org.freedesktop.Secret.Collection`.
extension SecretBridge {
    func answerCollection(_ call: Call) async throws(BusError) {
        switch call.member {
        case "CreateItem": try await createItem(call)
        case "SearchItems": try await searchCollection(call)
        case "Delete": try await deleteCollection(call)
        default: throw call.unknownMethod
        }
    }

    private func searchCollection(_ call: Call) async throws(BusError) {
        try call.expect("a{ss}")
        let attributes = try call.message.readAttributes()
        let token = try await token(at: call.path, call.caller)
        let found = names.sorted(try await call.keychain.search(attributes, in: token))
        for item in found where item.isWithheld { call.caller.seen.note(item.id, foundBy: attributes) }
        let paths = try await paths(of: found, call.caller)
        try reply(call) { message throws(BusError) in try message.append(paths, type: "o") }
    }

    private func createItem(_ call: Call) async throws(BusError) {
        try call.expect("a{sv}(oayays)b")
        let (label, attributes) = try call.message.readProperties(of: Interface.item)
        let (secret, contentType) = try call.message.readSecret(of: call.caller)
        let replaces = try call.message.readBool()
        guard !(attributes ?? [:]).keys.contains(where: HiddenAttribute.isHidden) else {
            throw .invalid("Attributes that begin with org.freedesktop.Secret. are the service's own")
        }
        let token = try await token(at: call.path, call.caller)
        let new = NewItem(
            attributes: attributes ?? [:], label: label ?? "", secret: secret, contentType: contentType,
            collection: token, replaces: replaces)
        try await checkUnlocked([token], call)
        if token != CollectionToken.session, !(try await call.keychain.isUnlocked()) {
            try await call.keychain.unlockVault(until: surroundings.held)
        }
        let made = try await call.keychain.make(new, mayAsk: false)
        var (path, prompt) = (SecretPath.none, SecretPath.none)
        switch made {
        case .item(let id, let isNew):
            names.note(id, in: token, label: new.label)
            path = tellOfItem(id, in: token, isNew: isNew, call.caller)
        case .asksPerson: prompt = try self.prompt(.make(new), for: call.caller)
        }
        try reply(call) { message throws(BusError) in
            try message.append(path, type: "o")
            try message.append(prompt, type: "o")
        }
    }

    /// Signals that an item was made or changed; its path.
    func tellOfItem(_ id: String, in token: String, isNew: Bool, _ caller: Caller) -> String {
        let path = self.path(of: id, in: token)
        signal(
            path, isNew ? "ItemCreated" : "ItemChanged", from: .collection(token: token), Interface.collection,
            to: caller)
        return path.text
    }

    private func deleteCollection(_ call: Call) async throws(BusError) {
        try call.expect("")
        let collection = try await collection(at: call.path, call.caller)
        guard let record = collection.record, collection.token != SecretServiceNames.login else {
            throw .notSupported("\(collection.token) is always there")
        }
        let items = try await call.keychain.search([:], in: collection.token).map(\.id)
        try await checkUnlocked([collection.token] + items, call)
        let prompt = try await delete(items + [record], of: collection, call.caller)
        try reply(call) { message throws(BusError) in try message.append(prompt, type: "o") }
    }

    /// Deletes items one after the other, and tells of it.
    ///
    /// - Parameter collection: what they are all of, its record the last one; nil for a single item.
    /// - Returns: the path of a prompt where the person has to be asked, else none.
    func delete(
        _ ids: [String], of collection: SecretCollection?, _ caller: Caller
    ) async throws(BusError) -> String {
        for (index, id) in ids.enumerated() {
            guard try await caller.keychain.delete(id, mayAsk: false) else {
                return try prompt(.delete(Array(ids[index...]), collection: collection), for: caller)
            }
            tellOfDeletion(id, of: collection, caller)
        }
        return SecretPath.none
    }

    func tellOfDeletion(_ id: String, of collection: SecretCollection?, _ caller: Caller) {
        caller.seen.forget(id)
        if let collection, collection.record == id {
            return signal(
                .collection(token: collection.token), "CollectionDeleted", from: .service, Interface.service,
                to: caller)
        }
        let token = collection?.token ?? (SessionItems.has(id) ? CollectionToken.session : SecretServiceNames.login)
        signal(
            path(of: id, in: token), "ItemDeleted", from: .collection(token: token),
            Interface.collection, to: caller)
    }
}
