// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// A call of `org.freedesktop.Secret.Collection`.
struct CollectionInterface {
    let call: Call
    let objects: BridgeObjects

    func answer() async throws(BusError) {
        let method =
            switch call.member {
            case "CreateItem": createItem
            case "SearchItems": searchItems
            case "Delete": delete
            default: throw call.unknownMethod
            }
        try await objects.requireListed(call.path, call.caller)
        try await method()
    }

    private func searchItems() async throws(BusError) {
        try call.expect("a{ss}")
        let attributes = try call.message.readAttributes()
        let token = try await objects.token(at: call.path, call.caller)
        let held = try await call.keychain.hold()
        defer { held.end() }
        let found = objects.names.sorted(try await call.keychain.search(attributes, in: token, held))
        for item in found where item.isWithheld { call.caller.seen.note(item.id, foundBy: attributes) }
        let paths = try await objects.paths(of: found, call.caller)
        try call.reply { message throws(BusError) in try message.append(paths, type: "o") }
    }

    private func createItem() async throws(BusError) {
        try call.expect("a{sv}(oayays)b")
        let (label, attributes) = try call.message.readProperties(of: Interface.item)
        let (secret, contentType) = try call.message.readSecret(of: call.caller)
        let replaces = try call.message.readBool()
        try HiddenAttribute.checkNone(in: attributes ?? [:])
        let token = try await objects.token(at: call.path, call.caller)
        let new = NewItem(
            attributes: attributes ?? [:], label: label ?? "", secret: secret, contentType: contentType,
            collection: token, replaces: replaces)
        try await objects.checkUnlocked([token], call.caller)
        if token != CollectionToken.session { try await call.keychain.requireUnlocked() }
        let made = try await call.keychain.make(new, mayAsk: false)
        var (path, prompt) = (SecretPath.none, SecretPath.none)
        switch made {
        case .item(let id, let isNew):
            objects.names.note(id, in: token, label: new.label)
            path = objects.signalItem(id, in: token, isNew: isNew, call.caller)
        case .needsPrompt: prompt = try objects.prompt(.make(new), for: call.caller)
        }
        try call.reply { message throws(BusError) in
            try message.append(path, type: "o")
            try message.append(prompt, type: "o")
        }
    }

    private func delete() async throws(BusError) {
        try call.expect("")
        let collection = try await objects.collection(at: call.path, call.caller)
        guard let record = collection.record, collection.token != SecretServiceNames.login else {
            throw .notSupported("The collection \(collection.token) is permanent")
        }
        let held = try await call.keychain.hold()
        defer { held.end() }
        let items = try await call.keychain.search([:], in: collection.token, held).map(\.id)
        try await objects.checkUnlocked([collection.token] + items, call.caller)
        try call.reply(path: try await objects.delete(items + [record], of: collection, call.caller))
    }
}

extension BridgeObjects {
    /// Deletes items one by one, and signals each deletion.
    ///
    /// - Parameter collection: the collection of all of them, whose record is the last one; nil for a single item.
    /// - Returns: the path of a prompt if the user must be asked, else none.
    func delete(
        _ ids: [String], of collection: SecretCollection?, _ caller: Caller
    ) async throws(BusError) -> String {
        for (index, id) in ids.enumerated() {
            guard try await caller.keychain.delete(id, mayAsk: false) else {
                return try prompt(.delete(Array(ids[index...]), collection: collection), for: caller)
            }
            signalDeletion(of: id, in: collection, caller)
        }
        return SecretPath.none
    }
}
