// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// The interfaces of the Secret Service API.
enum Interface {
    static let service = "org.freedesktop.Secret.Service"
    static let collection = "org.freedesktop.Secret.Collection"
    static let item = "org.freedesktop.Secret.Item"
    static let session = "org.freedesktop.Secret.Session"
    static let prompt = "org.freedesktop.Secret.Prompt"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let portal = "org.freedesktop.impl.portal.Secret"
    static let request = "org.freedesktop.impl.portal.Request"
}

extension BusMessage {
    /// The interface of a call. It may be left out (D-Bus Specification, Message Types): no two interfaces of an object have a
    /// method of one name.
    ///
    /// - Parameter own: that of the object which no others have.
    func interface(else own: String) -> String {
        if let interface { return interface }
        switch member {
        case "Introspect": return Interface.introspectable
        case "Get", "GetAll", "Set": return Interface.properties
        default: return own
        }
    }
}

extension SecretPath {
    /// The interface of its kind of objects.
    fileprivate var interface: String {
        switch self {
        case .service: Interface.service
        case .collection, .alias: Interface.collection
        case .item, .aliasItem: Interface.item
        case .session: Interface.session
        case .prompt: Interface.prompt
        }
    }
}

extension SecretBridge {
    /// Answers a call. What it throws is the answer.
    func answer(_ message: BusMessage, of caller: Caller) async throws(BusError) {
        let text = message.path ?? ""
        if text.hasPrefix(PortalRequest.desktop) { return try await answerPortal(message, of: caller) }
        guard let path = SecretPath(text) else {
            throw message.interface(else: "") == Interface.properties ? .unknownObject(text) : .noSuchObject(text)
        }
        let call = Call(message: message, caller: caller, path: path)
        switch (message.interface(else: path.interface), path) {
        case (Interface.introspectable, _): try introspect(call)
        case (Interface.properties, _): try await answerProperties(call)
        case (Interface.service, .service): try await answerService(call)
        case (Interface.collection, .collection), (Interface.collection, .alias): try await answerCollection(call)
        case (Interface.item, .item), (Interface.item, .aliasItem): try await answerItem(call)
        case (Interface.session, .session(let number)): try answerSession(call, number)
        case (Interface.prompt, .prompt(let number)): try answerPrompt(call, number)
        case (let interface, _): throw .unknownInterface(interface)
        }
    }

    /// A call that is being answered.
    struct Call {
        let message: BusMessage
        let caller: Caller
        let path: SecretPath

        var keychain: Keychain { caller.keychain }
        var member: String { message.member ?? "" }

        /// Holds the call to the types of a method's arguments.
        func expect(_ signature: String) throws(BusError) {
            guard message.has(signature) else { throw .invalid("The arguments of \(member) are “\(signature)”") }
        }

        var unknownMethod: BusError { .unknownMethod("There is no method \(member)") }
    }

    func reply(_ call: Call, _ arguments: (BusMessage) throws(BusError) -> Void = { _ in }) throws(BusError) {
        try surroundings.bus.reply(to: call.message, arguments)
    }

    private func introspect(_ call: Call) throws(BusError) {
        guard call.member == "Introspect" else { throw call.unknownMethod }
        let text = Introspection.text(of: call.path)
        try reply(call) { message throws(BusError) in try message.append(text) }
    }

    // MARK: - Paths

    /// An item that a path names.
    struct NamedItem {
        let id: String
        /// The collection that stands in the path.
        let token: String
    }

    func item(at path: SecretPath, _ caller: Caller) async throws(BusError) -> NamedItem {
        var found: NamedItem?
        switch path {
        case .item(let token, let name):
            found = names.id(of: name, in: token).map { NamedItem(id: $0, token: token) }
        case .aliasItem(let alias, let name):
            let token = try await collection(at: .alias(alias), caller).token
            found = names.id(of: name, in: token).map { NamedItem(id: $0, token: token) }
        default: break
        }
        guard let found else { throw .noSuchObject(path.text) }
        return found
    }

    /// Those of some paths that name items; others are left out.
    func items(at paths: [SecretPath], _ caller: Caller) async throws(BusError) -> [SecretPath: NamedItem] {
        var found: [SecretPath: NamedItem] = [:]
        for path in paths {
            do throws(BusError) { found[path] = try await item(at: path, caller) } catch {
                guard error.name == BusError.noSuchObject("").name else { throw error }
            }
        }
        return found
    }

    /// The collection that a path means.
    func collection(at path: SecretPath, _ caller: Caller) async throws(BusError) -> SecretCollection {
        switch path {
        case .collection(CollectionToken.session), .alias(CollectionToken.session): return .session
        case .collection(let token):
            if let found = try await caller.keychain.collections().first(where: { $0.token == token }) { return found }
        case .alias(let alias):
            if let found = try await collection(alias: alias, caller) { return found }
        default: break
        }
        throw .noSuchObject(path.text)
    }

    /// The token of the collection that a path means; asks the daemon only where it must.
    func token(at path: SecretPath, _ caller: Caller) async throws(BusError) -> String {
        switch path {
        case .collection(let token) where token == SecretServiceNames.login || token == CollectionToken.session: token
        default: try await collection(at: path, caller).token
        }
    }

    /// `default` and `login` mean the collection that is always there, unless the caller has said otherwise.
    func collection(alias: String, _ caller: Caller) async throws(BusError) -> SecretCollection? {
        let collections = try await caller.keychain.collections()
        if let named = collections.first(where: { $0.alias == alias }) { return named }
        switch alias {
        case "default", SecretServiceNames.login: return collections.first { $0.token == SecretServiceNames.login }
        case CollectionToken.session: return .session
        default: return nil
        }
    }

    /// The paths of items, each in its collection where that is one of the caller's, else in `login`.
    func paths(of items: [SecretItem], _ caller: Caller) async throws(BusError) -> [String] {
        let known = [SecretServiceNames.login, CollectionToken.session]
        var tokens = Set(known)
        if items.contains(where: { !tokens.contains($0.collection) }) {
            tokens.formUnion(try await caller.keychain.collections().map(\.token))
        }
        return items.map { item in
            path(of: item.id, in: tokens.contains(item.collection) ? item.collection : SecretServiceNames.login).text
        }
    }

    func path(of id: String, in token: String) -> SecretPath {
        let place = names.place(of: id, in: token)
        return .item(collection: place.collection, name: place.name)
    }
}
