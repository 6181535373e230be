// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// A call of `org.freedesktop.DBus.Properties`.
struct PropertiesInterface {
    let call: Call
    let objects: BridgeObjects

    func answer() async throws(BusError) {
        do throws(BusError) { try await answerCall() } catch {
            throw error.name == BusError.noSuchObject("").name ? .unknownObject(call.path.text) : error
        }
    }

    private func answerCall() async throws(BusError) {
        switch call.member {
        case "Get":
            try call.expect("ss")
            let interface = try call.message.readString()
            let name = try call.message.readString()
            let found = try await properties(interface, only: name)
            guard let value = found.first(where: { $0.name == name })?.value else { throw .unknownProperty(name) }
            try call.reply { message throws(BusError) in try value.append(to: message) }
        case "GetAll":
            try call.expect("s")
            let found = try await properties(try call.message.readString(), only: nil)
            try call.reply { message throws(BusError) in try message.append(found) }
        case "Set": try await setProperty()
        default: throw call.unknownMethod
        }
    }

    /// - Parameter only: the one that is requested: costly values of others are left out.
    private func properties(_ interface: String, only: String?) async throws(BusError) -> [Property] {
        switch (interface, call.path) {
        case (Interface.service, .service):
            return [("Collections", .paths(try await call.keychain.collections().map(\.path)))]
        case (Interface.collection, .collection), (Interface.collection, .alias):
            return try await properties(of: try await shownCollection(), only: only)
        case (Interface.item, .item), (Interface.item, .aliasItem):
            return try await properties(of: try await objects.item(at: call.path, call.caller))
        // All objects have the bus's own interfaces, which have no properties; sessions and prompts have none either.
        case (Interface.session, .session), (Interface.prompt, .prompt), (Interface.properties, _),
            (Interface.introspectable, _):
            return []
        default: throw .unknownInterface(interface)
        }
    }

    /// While the vault is locked any name may be that of one of the caller's.
    private func shownCollection() async throws(BusError) -> SecretCollection {
        do throws(BusError) { return try await objects.collection(at: call.path, call.caller) } catch {
            guard case .collection(let token) = call.path, error.name == BusError.noSuchObject("").name,
                try await !call.keychain.isUnlocked()
            else { throw error }
            return SecretCollection(token: token, label: "")
        }
    }

    private func properties(of collection: SecretCollection, only: String?) async throws(BusError) -> [Property] {
        let isMemory = collection.token == CollectionToken.session
        let isOpen = isMemory ? true : try await call.keychain.isUnlocked()
        var items: [String] = []
        if isOpen, only == nil || only == "Items" {
            let held = try await call.keychain.hold()
            defer { held.end() }
            let own = objects.names.sorted(try await call.keychain.search([:], in: collection.token, held))
            items = try await objects.paths(of: own, call.caller)
        }
        return [
            ("Items", .paths(items)), ("Label", .text(collection.label)),
            ("Locked", .bool(!isOpen || objects.locked.isLocked(collection.token, of: call.caller.app))),
            ("Created", .seconds(collection.created)), ("Modified", .seconds(collection.modified)),
        ]
    }

    /// While the vault is locked, and for another program's item, only what the caller has named itself is returned,
    /// without a prompt.
    private func properties(of named: BridgeObjects.NamedItem) async throws(BusError) -> [Property] {
        let id = named.id
        var item: SecretItem?
        let isOpen = try await call.keychain.isUnlocked()
        if isOpen || SessionItems.has(id) {
            item = try await call.keychain.metadata(of: [id]).first
            guard item != nil else { throw .noSuchObject(call.path.text) }
        }
        if let item, !item.isWithheld {
            let isLocked = objects.locked.isLocked(item, of: call.caller.app)
            return [
                ("Locked", .bool(isLocked)), ("Attributes", .attributes(item.attributes)), ("Label", .text(item.label)),
                ("Created", .seconds(item.created)), ("Modified", .seconds(item.modified)),
            ]
        }
        return [
            ("Locked", .bool(true)), ("Attributes", .attributes(call.caller.seen.attributes(of: id) ?? [:])),
            ("Label", .text("")), ("Created", .seconds(0)), ("Modified", .seconds(0)),
        ]
    }

    // MARK: - Setting

    private func setProperty() async throws(BusError) {
        try call.expect("ssv")
        let message = call.message
        let interface = try message.readString()
        let name = try message.readString()
        let value: PropertyValue
        switch (interface, call.path, name) {
        case (Interface.collection, .collection, "Label"), (Interface.collection, .alias, "Label"):
            let label = try message.read("v", of: "s") { () throws(BusError) in try message.readString() } ?? ""
            try await objects.requireListed(call.path, call.caller)
            let collection = try await objects.collection(at: call.path, call.caller)
            guard collection.token != CollectionToken.session else { throw .readOnly(name) }
            try await objects.checkUnlocked([collection.token], call.caller)
            try await call.keychain.change(collection, label: label, alias: collection.alias)
            objects.signal(
                .collection(token: collection.token), "CollectionChanged", from: .service, Interface.service,
                to: call.caller)
            value = .text(label)
        case (Interface.item, .item, "Label"), (Interface.item, .aliasItem, "Label"):
            let label = try message.read("v", of: "s") { () throws(BusError) in try message.readString() } ?? ""
            try await change(label: label)
            value = .text(label)
        case (Interface.item, .item, "Attributes"), (Interface.item, .aliasItem, "Attributes"):
            let attributes =
                try message.read("v", of: "a{ss}") { () throws(BusError) in try message.readAttributes() } ?? [:]
            try HiddenAttribute.checkNone(in: attributes)
            try await change(attributes: attributes)
            value = .attributes(attributes)
        default:
            let exists = try await properties(interface, only: name).contains { $0.name == name }
            throw exists ? .readOnly(name) : .unknownProperty(name)
        }
        try call.reply()
        objects.signalChanged([(name, value)], of: call.path, interface, to: call.caller)
        if interface == Interface.item {
            let item = try await objects.item(at: call.path, call.caller)
            objects.signalItem(item.id, in: item.token, isNew: false, call.caller)
        }
    }

    private func change(label: String? = nil, attributes: [String: String]? = nil) async throws(BusError) {
        let item = try await objects.item(at: call.path, call.caller)
        try await objects.checkUnlocked(item, call.caller)
        try await call.keychain.change(item.id, label: label, attributes: attributes)
    }
}
