// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// Locking and unlocking. Locked are: everything, while the vault is locked; another program's item, until the user
/// lets the caller read it; and what the caller has locked itself, for itself.
extension BridgeObjects {
    /// Unlocks what the caller has locked itself, an item with its own collection and with that in its path.
    func unlockOwn(
        _ paths: [SecretPath], _ items: [SecretPath: NamedItem], _ caller: Caller
    ) async throws(BusError) {
        let app = try await caller.keychain.app()
        guard locked.hasObjects(of: app) else { return }
        for item in try await metadata(of: items, caller) where !item.isWithheld {
            locked.unlock(item.collection, of: app)
        }
        for path in paths {
            if let item = items[path] {
                locked.unlock(item.id, of: app)
                locked.unlock(item.token, of: app)
            } else if let token = try? await token(at: path, caller), locked.isLocked(token, of: app) {
                locked.unlock(token, of: app)
                signalChanged([("Locked", .bool(false))], of: path, Interface.collection, to: caller)
            }
        }
    }

    /// The objects among some that are unlocked now.
    func unlocked(
        _ paths: [SecretPath], _ items: [SecretPath: NamedItem], _ caller: Caller
    ) async throws(BusError) -> [SecretPath] {
        let readable = Set(try await metadata(of: items, caller).filter { !$0.isWithheld }.map(\.id))
        let isOpen = try await caller.keychain.isUnlocked()
        return paths.filter { path in
            switch path {
            case .item, .aliasItem: items[path].map { readable.contains($0.id) } ?? false
            case .collection(CollectionToken.session), .alias(CollectionToken.session): true
            default: isOpen
            }
        }
    }

    /// While the vault is locked, of items in memory alone.
    private func metadata(
        of items: [SecretPath: NamedItem], _ caller: Caller
    ) async throws(BusError) -> [SecretItem] {
        let isOpen = try await caller.keychain.isUnlocked()
        let ids = items.values.map(\.id).filter { isOpen || SessionItems.has($0) }
        return ids.isEmpty ? [] : try await caller.keychain.metadata(of: ids)
    }

    /// Prompts the user for the locked ones among some objects, without a time limit.
    ///
    /// - Returns: the objects that are unlocked then; nil if none was unlocked by the prompt.
    func unlock(
        _ paths: [SecretPath], window: String?, _ caller: Caller
    ) async throws(BusError) -> [SecretPath]? {
        let items = try await items(at: paths, caller)
        let wasOpen = try await caller.keychain.isUnlocked()
        if !wasOpen {
            try await caller.keychain.unlockVault(window: window, until: nil)
            // A locked vault does not list their collections.
            try await unlockOwn(paths, items, caller)
        }
        let open = try await unlocked(paths, items, caller)
        let rest = paths.filter { items[$0] != nil && !open.contains($0) }.compactMap { items[$0]?.id }
        guard !rest.isEmpty else { return open }
        let answered = try await caller.keychain.request(rest, interaction: .allow, window: window)
        let readable = Set(answered.filter { !$0.isWithheld }.map(\.id))
        for id in readable { caller.seen.forget(id) }
        let app = try await caller.keychain.app()
        for item in answered where !item.isWithheld { locked.unlock(item.collection, of: app) }
        guard !wasOpen || !readable.isEmpty else { return nil }
        return paths.filter { path in open.contains(path) || items[path].map { readable.contains($0.id) } ?? false }
    }

    /// Refuses an item that the caller has locked, by itself, with its own collection, or with that in its path. Prompts the
    /// user to unlock the vault where that has to be known.
    func checkUnlocked(_ item: NamedItem, _ caller: Caller) async throws(BusError) {
        try await checkUnlocked([item.id, item.token], caller)
        guard locked.hasObjects(of: try await caller.keychain.app()) else { return }
        if !SessionItems.has(item.id) { try await caller.keychain.requireUnlocked() }
        // Of an item that is withheld the collection is not returned.
        let own = try await caller.keychain.metadata(of: [item.id]).filter { !$0.isWithheld }
        try await checkUnlocked(own.map(\.collection), caller)
    }

    /// Refuses what the caller has locked itself. Identifies the caller first.
    ///
    /// - Parameter names: collections' tokens, items' ids.
    func checkUnlocked(_ names: [String], _ caller: Caller) async throws(BusError) {
        let app = try await caller.keychain.app()
        guard !names.contains(where: { locked.isLocked($0, of: app) }) else {
            throw .isLocked("You have locked it: unlock it first")
        }
    }
}
