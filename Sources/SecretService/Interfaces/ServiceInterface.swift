// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory
internal import SecretSession
internal import Systemd

/// A call of `org.freedesktop.Secret.Service`.
struct ServiceInterface {
    let call: Call
    let objects: BridgeObjects

    func answer() async throws(BusError) {
        switch call.member {
        case "OpenSession": try SessionInterface(call: call, objects: objects).open()
        case "CreateCollection": try await createCollection()
        case "SearchItems": try await searchItems()
        case "Unlock": try await unlock()
        case "Lock": try await lock()
        case "GetSecrets": try await getSecrets()
        case "ReadAlias": try await readAlias()
        case "SetAlias": try await setAlias()
        default: throw call.unknownMethod
        }
    }

    // MARK: - Collections

    private func createCollection() async throws(BusError) {
        try call.expect("a{sv}s")
        let (label, _) = try call.message.readProperties(of: Interface.collection)
        let alias = try call.message.readString()
        guard alias.utf8.count <= BridgeLimits.nameBytes else { throw .aliasIsInvalid }
        // The vault may have it already.
        try await call.keychain.requireUnlocked()
        let held = try await call.keychain.hold()
        defer { held.end() }
        let tokens = try await call.keychain.collections().map(\.token)
        try held.add(tokens)
        var made = alias.isEmpty ? nil : try await objects.collection(alias: alias, call.caller)
        if made == nil {
            guard tokens.count < BridgeLimits.collections else {
                throw .tooMany("At most \(BridgeLimits.collections) collections of one program")
            }
            let label = label ?? ""
            let token = CollectionToken.of(label, butNot: Set(tokens))
            try await call.keychain.makeCollection(token, label: label, alias: alias.isEmpty ? nil : alias)
            made = SecretCollection(token: token, label: label)
            objects.signal(
                .collection(token: token), "CollectionCreated", from: .service, Interface.service, to: call.caller)
        }
        let path = made?.path ?? SecretPath.none
        try call.reply { message throws(BusError) in
            try message.append(path, type: "o")
            try message.append(SecretPath.none, type: "o")
        }
    }

    private func readAlias() async throws(BusError) {
        try call.expect("s")
        let alias = try call.message.readString()
        try call.reply(path: try await objects.collection(alias: alias, call.caller)?.path ?? SecretPath.none)
    }

    private func setAlias() async throws(BusError) {
        try call.expect("so")
        let alias = try call.message.readString()
        let path = try call.message.readString(type: "o")
        try await call.keychain.requireUnlocked()
        let aliased = try await call.keychain.collections().filter { $0.alias == alias }
        guard !alias.isEmpty, alias.utf8.count <= BridgeLimits.nameBytes else { throw .aliasIsInvalid }
        var target: SecretCollection?
        if path != SecretPath.none {
            guard let named = SecretPath(path) else { throw .noSuchObject(path) }
            target = try await objects.collection(at: named, call.caller)
            if target?.token == CollectionToken.session {
                throw .notSupported("The collection session has no alias but its own")
            }
        }
        for old in aliased where old.token != target?.token {
            try await call.keychain.change(old, label: old.label, alias: nil)
        }
        if let target, target.alias != alias {
            try await call.keychain.change(target, label: target.label, alias: alias)
        }
        try call.reply()
    }

    // MARK: - Items

    private func searchItems() async throws(BusError) {
        try call.expect("a{ss}")
        let attributes = try call.message.readAttributes()
        let held = try await call.keychain.hold()
        defer { held.end() }
        let found = objects.names.sorted(try await call.keychain.search(attributes, in: nil, held))
        for item in found where item.isWithheld { call.caller.seen.note(item.id, foundBy: attributes) }
        let isLocked = { item in item.isWithheld || objects.locked.isLocked(item, of: call.caller.app) }
        let readable = try await objects.paths(of: found.filter { !isLocked($0) }, call.caller)
        let locked = try await objects.paths(of: found.filter(isLocked), call.caller)
        try call.reply { message throws(BusError) in
            try message.append(readable, type: "o")
            try message.append(locked, type: "o")
        }
    }

    /// The secrets that can be read without a prompt, each path once; the others are left out.
    private func getSecrets() async throws(BusError) {
        try call.expect("aoo")
        var read: Set<String> = []
        let paths = try call.message.readStrings(type: "o", limit: BridgeLimits.objectsPerCall).filter {
            read.insert($0).inserted
        }
        let session = try call.message.readString(type: "o")
        let cipher = try call.caller.cipher(session)
        let app = try await call.keychain.app()
        let held = try await call.keychain.hold()
        defer { held.end() }
        try held.add(paths)
        var requested: [(path: String, item: BridgeObjects.NamedItem)] = []
        for path in paths {
            guard let named = SecretPath(path) else { throw .noSuchObject(path) }
            let item = try await objects.item(at: named, call.caller)
            let isLocked = [item.token, item.id].contains { objects.locked.isLocked($0, of: app) }
            if !isLocked { requested.append((path, item)) }
        }
        let readable = Set(
            try await call.keychain.metadata(of: requested.map(\.item.id)).filter {
                !$0.isWithheld && !objects.locked.isLocked($0, of: app)
            }.map(\.id))
        var secrets: [(path: String, secret: SecretBytes, contentType: String)] = []
        for (path, item) in requested where readable.contains(item.id) {
            do throws(BusError) {
                let found = try await call.keychain.secret(of: item.id)
                try held.add(found.secret.count)
                secrets.append((path, found.secret, found.contentType))
            } catch {
                // An item that was deleted meanwhile, or that is locked, is left out.
                guard error.name.hasPrefix("org.freedesktop.Secret.Error.") else { throw error }
            }
        }
        try call.reply(isSensitive: true) { message throws(BusError) in
            try message.write("a", of: "{o(oayays)}") { () throws(BusError) in
                for entry in secrets {
                    try message.write("e", of: "o(oayays)") { () throws(BusError) in
                        try message.append(entry.path, type: "o")
                        try message.append(entry.secret, contentType: entry.contentType, session: session, cipher)
                    }
                }
            }
        }
    }

    // MARK: - Locking

    private func unlock() async throws(BusError) {
        let paths = try readLockable()
        let held = try await call.keychain.hold()
        defer { held.end() }
        try held.add(paths.map(\.text))
        let items = try await objects.items(at: paths, call.caller)
        try await objects.unlockOwn(paths, items, call.caller)
        let open = try await objects.unlocked(paths, items, call.caller)
        let isComplete = paths.allSatisfy { open.contains($0) }
        let prompt = isComplete ? SecretPath.none : try objects.prompt(.unlock(paths), for: call.caller)
        try call.reply { message throws(BusError) in
            try message.append(open.map(\.text), type: "o")
            try message.append(prompt, type: "o")
        }
    }

    /// Locks for the caller alone. Items in memory cannot be locked; those past the limit are not.
    private func lock() async throws(BusError) {
        let paths = try readLockable()
        let app = try await call.keychain.app()
        let held = try await call.keychain.hold()
        defer { held.end() }
        try held.add(paths.map(\.text))
        var locked: [String] = []
        for path in paths {
            let item = path.isItem ? try await objects.item(at: path, call.caller) : nil
            let token = if let item { item.token } else { try await objects.token(at: path, call.caller) }
            guard token != CollectionToken.session, item.map({ SessionItems.has($0.id) }) != true,
                objects.locked.lock(item?.id ?? token, of: app)
            else { continue }
            objects.signalChanged([("Locked", .bool(true))], of: path, path.interface, to: call.caller)
            locked.append(path.text)
        }
        try call.reply { message throws(BusError) in
            try message.append(locked, type: "o")
            try message.append(SecretPath.none, type: "o")
        }
    }

    /// The collections and items that the call names.
    private func readLockable() throws(BusError) -> [SecretPath] {
        try call.expect("ao")
        let texts = try call.message.readStrings(type: "o", limit: BridgeLimits.objectsPerCall)
        return texts.compactMap { SecretPath($0) }.filter { $0.isItem || $0.isCollection }
    }
}

extension BusError {
    fileprivate static let aliasIsInvalid = invalid("An alias has 1 to \(BridgeLimits.nameBytes) bytes")
}
