// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// The value of a property.
enum PropertyValue {
    case bool(Bool)
    case text(String)
    case seconds(UInt64)
    case paths([String])
    case attributes([String: String])
    case version(UInt32)

    private var signature: String {
        switch self {
        case .bool: "b"
        case .text: "s"
        case .seconds: "t"
        case .paths: "ao"
        case .attributes: "a{ss}"
        case .version: "u"
        }
    }

    /// Appends it as a variant.
    func append(to message: BusMessage) throws(BusError) {
        try message.write("v", of: signature) { () throws(BusError) in
            switch self {
            case .bool(let value): try message.append(value)
            case .text(let text): try message.append(text)
            case .seconds(let number): try message.append(number)
            case .paths(let paths): try message.append(paths, type: "o")
            case .attributes(let attributes): try message.append(attributes)
            case .version(let number): try message.append(number)
            }
        }
    }
}

/// `org.freedesktop.DBus.Properties`.
extension SecretBridge {
    func answerProperties(_ call: Call) async throws(BusError) {
        do throws(BusError) { try await answerProperty(call) } catch {
            throw error.name == BusError.noSuchObject("").name ? .unknownObject(call.path.text) : error
        }
    }

    private func answerProperty(_ call: Call) async throws(BusError) {
        switch call.member {
        case "Get":
            try call.expect("ss")
            let interface = try call.message.readString()
            let name = try call.message.readString()
            let found = try await properties(interface, call, only: name)
            guard let value = found.first(where: { $0.name == name })?.value else { throw .unknownProperty(name) }
            try reply(call) { message throws(BusError) in try value.append(to: message) }
        case "GetAll":
            try call.expect("s")
            let found = try await properties(try call.message.readString(), call, only: nil)
            try reply(call) { message throws(BusError) in
                try message.write("a", of: "{sv}") { () throws(BusError) in
                    for property in found { try message.append(property.name, property.value) }
                }
            }
        case "Set": try await setProperty(call)
        default: throw call.unknownMethod
        }
    }

    typealias Property = (name: String, value: PropertyValue)

    /// - Parameter only: the one that is wanted: what is costly is left out for others.
    private func properties(
        _ interface: String, _ call: Call, only: String?
    ) async throws(BusError) -> [Property] {
        switch (interface, call.path) {
        case (Interface.service, .service):
            let collections = try await call.keychain.collections()
            return [("Collections", .paths(collections.map { SecretPath.collection(token: $0.token).text }))]
        case (Interface.collection, .collection), (Interface.collection, .alias):
            return try await properties(of: try await collection(at: call.path, call.caller), call, only: only)
        case (Interface.item, .item), (Interface.item, .aliasItem):
            return try await properties(of: try await item(at: call.path, call.caller), call)
        // Objects have the interfaces of the bus, which have no properties; so have sessions and prompts.
        case (Interface.session, .session), (Interface.prompt, .prompt), (Interface.properties, _),
            (Interface.introspectable, _):
            return []
        default: throw .unknownInterface(interface)
        }
    }

    private func properties(
        of collection: SecretCollection, _ call: Call, only: String?
    ) async throws(BusError) -> [Property] {
        let isMemory = collection.token == CollectionToken.session
        let isOpen = isMemory ? true : try await call.keychain.isUnlocked()
        var items: [String] = []
        if isOpen, only == nil || only == "Items" {
            let own = names.sorted(try await call.keychain.search([:], in: collection.token))
            items = try await paths(of: own, call.caller)
        }
        return [
            ("Items", .paths(items)), ("Label", .text(collection.label)),
            ("Locked", .bool(!isOpen || views.isLocked(collection.token, of: call.caller.app))),
            ("Created", .seconds(collection.created)), ("Modified", .seconds(collection.modified)),
        ]
    }

    /// While the vault is locked, and of another's, no more is told than the caller knows: nobody is asked for a look.
    private func properties(of named: NamedItem, _ call: Call) async throws(BusError) -> [Property] {
        let id = named.id
        var item: SecretItem?
        let isOpen = try await call.keychain.isUnlocked()
        if isOpen || SessionItems.has(id) {
            item = try await call.keychain.look(at: [id]).first
            guard item != nil else { throw .noSuchObject(call.path.text) }
        }
        if let item, !item.isWithheld {
            let isLocked = views.isLocked(item, of: call.caller.app)
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

    private func setProperty(_ call: Call) async throws(BusError) {
        try call.expect("ssv")
        let message = call.message
        let interface = try message.readString()
        let name = try message.readString()
        let value: PropertyValue
        switch (interface, call.path, name) {
        case (Interface.collection, .collection, "Label"), (Interface.collection, .alias, "Label"):
            let label = try message.read("v", of: "s") { () throws(BusError) in try message.readString() } ?? ""
            let collection = try await collection(at: call.path, call.caller)
            guard collection.token != CollectionToken.session else { throw .readOnly(name) }
            try await checkUnlocked([collection.token], call)
            try await call.keychain.change(collection, label: label, alias: collection.alias)
            signal(
                .collection(token: collection.token), "CollectionChanged", from: .service, Interface.service,
                to: call.caller)
            value = .text(label)
        case (Interface.item, .item, "Label"), (Interface.item, .aliasItem, "Label"):
            let label = try message.read("v", of: "s") { () throws(BusError) in try message.readString() } ?? ""
            try await change(call, label: label)
            value = .text(label)
        case (Interface.item, .item, "Attributes"), (Interface.item, .aliasItem, "Attributes"):
            let attributes =
                try message.read("v", of: "a{ss}") { () throws(BusError) in try message.readAttributes() } ?? [:]
            guard !attributes.keys.contains(where: HiddenAttribute.isHidden) else {
                throw .invalid("Attributes that begin with org.freedesktop.Secret. are the service's own")
            }
            try await change(call, attributes: attributes)
            value = .attributes(attributes)
        default:
            let known = try await properties(interface, call, only: name).contains { $0.name == name }
            throw known ? .readOnly(name) : .unknownProperty(name)
        }
        try reply(call)
        signalChanged([(name, value)], of: call.path, interface, to: call.caller)
        if interface == Interface.item {
            let item = try await item(at: call.path, call.caller)
            _ = tellOfItem(item.id, in: item.token, isNew: false, call.caller)
        }
    }

    private func change(
        _ call: Call, label: String? = nil, attributes: [String: String]? = nil
    ) async throws(BusError) {
        let item = try await item(at: call.path, call.caller)
        try await checkUnlocked(item, call)
        try await call.keychain.change(item.id, label: label, attributes: attributes)
    }
}

extension BusMessage {
    /// An entry of `a{sv}`.
    func append(_ name: String, _ value: PropertyValue) throws(BusError) {
        try write("e", of: "sv") { () throws(BusError) in
            try append(name)
            try value.append(to: self)
        }
    }
}
