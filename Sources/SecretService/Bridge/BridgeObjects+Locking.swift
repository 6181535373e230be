// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// Locking and unlocking. Locked are: all, with the vault; another program's item, until the person lets the caller have it; and
/// what the caller has locked itself, for itself.
extension SecretBridge {
    func unlock(_ call: Call) async throws(BusError) {
        try call.expect("ao")
        let texts = try call.message.readStrings(type: "o", limit: BridgeLimits.objectsPerCall)
        let paths = texts.compactMap { SecretPath($0) }.filter(\.canBeLocked)
        let items = try await items(at: paths, call.caller)
        try await openViews(paths, items, call.caller)
        let open = try await unlocked(paths, items, call.caller)
        let isWhole = paths.allSatisfy { open.contains($0) }
        let prompt = isWhole ? SecretPath.none : try self.prompt(.unlock(paths), for: call.caller)
        try reply(call) { message throws(BusError) in
            try message.append(open.map(\.text), type: "o")
            try message.append(prompt, type: "o")
        }
    }

    /// Takes back what the caller has locked itself.
    private func openViews(
        _ paths: [SecretPath], _ items: [SecretPath: NamedItem], _ caller: Caller
    ) async throws(BusError) {
        let app = try await caller.keychain.app()
        for path in paths {
            if let item = items[path] {
                views.unlock(item.id, of: app)
                views.unlock(item.token, of: app)
            } else if let token = try? await token(at: path, caller), views.isLocked(token, of: app) {
                views.unlock(token, of: app)
                signalChanged([("Locked", .bool(false))], of: path, Interface.collection, to: caller)
            }
        }
    }

    /// Those of some objects that are unlocked now.
    private func unlocked(
        _ paths: [SecretPath], _ items: [SecretPath: NamedItem], _ caller: Caller
    ) async throws(BusError) -> [SecretPath] {
        let isOpen = try await caller.keychain.isUnlocked()
        let asked = items.values.map(\.id).filter { isOpen || SessionItems.has($0) }
        var readable: Set<String> = []
        if !asked.isEmpty {
            readable = Set(try await caller.keychain.look(at: asked).filter { !$0.isWithheld }.map(\.id))
        }
        return paths.filter { path in
            switch path {
            case .item, .aliasItem: items[path].map { readable.contains($0.id) } ?? false
            case .collection(CollectionToken.session), .alias(CollectionToken.session): true
            default: isOpen
            }
        }
    }

    /// Asks the person for what is locked of some objects, for as long as they take.
    ///
    /// - Returns: those that are unlocked then; nil where that is none that was not before.
    func unlock(
        _ paths: [SecretPath], window: String?, _ caller: Caller
    ) async throws(BusError) -> [SecretPath]? {
        let items = try await items(at: paths, caller)
        let wasOpen = try await caller.keychain.isUnlocked()
        if !wasOpen { try await caller.keychain.unlockVault(window: window, until: nil) }
        let open = try await unlocked(paths, items, caller)
        let rest = paths.filter { items[$0] != nil && !open.contains($0) }.compactMap { items[$0]?.id }
        guard !rest.isEmpty else { return open }
        let asked = try await caller.keychain.request(rest, interaction: .allow, window: window)
        let readable = Set(asked.filter { !$0.isWithheld }.map(\.id))
        for id in readable { caller.seen.forget(id) }
        guard !wasOpen || !readable.isEmpty else { return nil }
        return paths.filter { path in open.contains(path) || items[path].map { readable.contains($0.id) } ?? false }
    }

    /// Locks for the caller. What is in memory alone cannot be locked.
    func lock(_ call: Call) async throws(BusError) {
        try call.expect("ao")
        let texts = try call.message.readStrings(type: "o", limit: BridgeLimits.objectsPerCall)
        let paths = texts.compactMap { SecretPath($0) }.filter(\.canBeLocked)
        let app = try await call.keychain.app()
        var locked: [String] = []
        for path in paths {
            switch path {
            case .item, .aliasItem:
                let item = try await item(at: path, call.caller)
                guard item.token != CollectionToken.session else { continue }
                views.lock(item.id, of: app)
                signalChanged([("Locked", .bool(true))], of: path, Interface.item, to: call.caller)
            default:
                let token = try await token(at: path, call.caller)
                guard token != CollectionToken.session else { continue }
                views.lock(token, of: app)
                signalChanged([("Locked", .bool(true))], of: path, Interface.collection, to: call.caller)
            }
            locked.append(path.text)
        }
        try reply(call) { message throws(BusError) in
            try message.append(locked, type: "o")
            try message.append(SecretPath.none, type: "o")
        }
    }
}

extension SecretPath {
    fileprivate var canBeLocked: Bool {
        switch self {
        case .collection, .alias, .item, .aliasItem: true
        case .service, .session, .prompt: false
        }
    }
}
