// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory
internal import Systemd

/// `org.freedesktop.Secret.Service`.
extension SecretBridge {
    func answerService(_ call: Call) async throws(BusError) {
        switch call.member {
        case "OpenSession": try openSession(call)
        case "CreateCollection": try await createCollection(call)
        case "SearchItems": try await searchItems(call)
        case "Unlock": try await unlock(call)
        case "Lock": try await lock(call)
        case "GetSecrets": try await getSecrets(call)
        case "ReadAlias": try await readAlias(call)
        case "SetAlias": try await setAlias(call)
        default: throw call.unknownMethod
        }
    }

    // MARK: - Collections

    private func createCollection(_ call: Call) async throws(BusError) {
        try call.expect("a{sv}s")
        let (label, _) = try call.message.readProperties(of: Interface.collection)
        let alias = try call.message.readString()
        let collections = try await call.keychain.collections()
        var made = alias.isEmpty ? nil : try await collection(alias: alias, call.caller)
        if made == nil {
            guard collections.count < BridgeLimits.collections else {
                throw .tooMany("At most \(BridgeLimits.collections) collections of one program")
            }
            let label = label ?? ""
            let token = CollectionToken.of(label, butNot: Set(collections.map(\.token)))
            if !(try await call.keychain.isUnlocked()) {
                try await call.keychain.unlockVault(until: surroundings.held)
            }
            try await call.keychain.makeCollection(token, label: label, alias: alias.isEmpty ? nil : alias)
            made = SecretCollection(token: token, label: label)
            signal(.collection(token: token), "CollectionCreated", from: .service, Interface.service, to: call.caller)
        }
        let path = made.map { SecretPath.collection(token: $0.token).text } ?? SecretPath.none
        try reply(call) { message throws(BusError) in
            try message.append(path, type: "o")
            try message.append(SecretPath.none, type: "o")
        }
    }

    private func readAlias(_ call: Call) async throws(BusError) {
        try call.expect("s")
        let alias = try call.message.readString()
        let found = try await collection(alias: alias, call.caller)
        let path = found.map { SecretPath.collection(token: $0.token).text } ?? SecretPath.none
        try reply(call) { message throws(BusError) in try message.append(path, type: "o") }
    }

    private func setAlias(_ call: Call) async throws(BusError) {
        try call.expect("so")
        let alias = try call.message.readString()
        let path = try call.message.readString(type: "o")
        let collections = try await call.keychain.collections()
        guard !alias.isEmpty, alias.utf8.count <= 255 else { throw .invalid("An alias has 1 to 255 bytes") }
        var wanted: SecretCollection?
        if path != SecretPath.none {
            guard let named = SecretPath(path) else { throw .noSuchObject(path) }
            wanted = try await collection(at: named, call.caller)
            if wanted?.token == CollectionToken.session { throw .notSupported("session has its own alias alone") }
        }
        for old in collections where old.alias == alias && old.token != wanted?.token {
            try await call.keychain.change(old, label: old.label, alias: nil)
        }
        if let wanted, wanted.alias != alias {
            try await call.keychain.change(wanted, label: wanted.label, alias: alias)
        }
        try reply(call)
    }

    // MARK: - Items

    private func searchItems(_ call: Call) async throws(BusError) {
        try call.expect("a{ss}")
        let attributes = try call.message.readAttributes()
        let found = names.sorted(try await call.keychain.search(attributes, in: nil))
        for item in found where item.isWithheld { call.caller.seen.note(item.id, foundBy: attributes) }
        let app = call.caller.app
        let readable = try await paths(
            of: found.filter { !$0.isWithheld && !views.isLocked($0, of: app) }, call.caller)
        let locked = try await paths(of: found.filter { $0.isWithheld || views.isLocked($0, of: app) }, call.caller)
        try reply(call) { message throws(BusError) in
            try message.append(readable, type: "o")
            try message.append(locked, type: "o")
        }
    }

    /// Those that are to be had without a question: of the others nothing is said here.
    private func getSecrets(_ call: Call) async throws(BusError) {
        try call.expect("aoo")
        let paths = try call.message.readStrings(type: "o", limit: BridgeLimits.objectsPerCall)
        let session = try call.message.readString(type: "o")
        let cipher = try call.caller.cipher(session)
        let app = try await call.keychain.app()
        var wanted: [(path: String, item: NamedItem)] = []
        for path in paths {
            guard let named = SecretPath(path) else { throw .noSuchObject(path) }
            let item = try await item(at: named, call.caller)
            let isLocked = [item.token, item.id].contains { views.isLocked($0, of: app) }
            if !isLocked { wanted.append((path, item)) }
        }
        let known = try await call.keychain.look(at: wanted.map(\.item.id))
        let readable = Set(known.filter { !$0.isWithheld }.map(\.id))
        var secrets: [(path: String, secret: SecretBytes, contentType: String)] = []
        for (path, item) in wanted where readable.contains(item.id) {
            do throws(BusError) {
                let found = try await call.keychain.secret(of: item.id)
                secrets.append((path, found.secret, found.contentType))
            } catch {
                // One that went meanwhile, or that is locked, is left out.
                guard error.name.hasPrefix("org.freedesktop.Secret.Error.") else { throw error }
            }
        }
        try surroundings.bus.reply(to: call.message, isSensitive: true) { message throws(BusError) in
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
}
