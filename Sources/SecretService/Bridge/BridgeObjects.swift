// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// The objects on the bus and the callers they belong to: what the interfaces have in common.
final class BridgeObjects {
    let environment: BridgeEnvironment
    let memory = SessionItems()
    var names: ItemNames
    var locked = LockedObjects()
    let answers = UnfinishedAnswers.ofCalls()
    private let promptBytes = UnfinishedAnswers.ofPrompts()
    /// By their unique names.
    var callers: [String: Caller] = [:]
    private var lastNumber: UInt64 = 0

    init(_ environment: BridgeEnvironment, names: ItemNames) { (self.environment, self.names) = (environment, names) }

    /// The number of the next session or prompt.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The path of a new prompt. When the caller has too many, or its program too many bytes of them, the oldest ones that were
    /// never displayed are deleted.
    func prompt(_ action: PendingPrompt.Action, for caller: Caller) throws(BusError) -> String {
        let app = caller.app ?? caller.name
        let limit = BridgeLimits.promptsPerCaller
        while caller.prompts.count >= limit || !promptBytes.isWithinOwn(action.bytes, of: app),
            let oldest = caller.prompts.filter({ $0.value.task == nil }).keys.min()
        { caller.prompts[oldest] = nil }
        guard caller.prompts.count < limit else { throw .tooMany("At most \(limit) prompts of one connection") }
        let held = HeldBytes(promptBytes, of: app)
        try held.add(action.bytes)
        let number = nextNumber()
        caller.prompts[number] = PendingPrompt(action, held)
        return SecretPath.prompt(number).text
    }

    // MARK: - Paths

    /// An item that a path names.
    struct NamedItem {
        let id: String
        /// The collection in the path.
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

    /// The items among some paths; other paths are left out.
    func items(at paths: [SecretPath], _ caller: Caller) async throws(BusError) -> [SecretPath: NamedItem] {
        var found: [SecretPath: NamedItem] = [:]
        for path in paths {
            do throws(BusError) { found[path] = try await item(at: path, caller) } catch {
                guard error.name == BusError.noSuchObject("").name else { throw error }
            }
        }
        return found
    }

    /// The collection that a path names.
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

    /// Prompts the user to unlock the vault where it may have the collection that a path names: a locked one lists only the permanent
    /// ones.
    func requireListed(_ path: SecretPath, _ caller: Caller) async throws(BusError) {
        switch path {
        case .collection(SecretServiceNames.login), .collection(CollectionToken.session),
            .alias(CollectionToken.session):
            break
        default: try await caller.keychain.requireUnlocked()
        }
    }

    /// The token of the collection that a path names; calls the daemon only if necessary.
    func token(at path: SecretPath, _ caller: Caller) async throws(BusError) -> String {
        switch path {
        case .collection(let token) where token == SecretServiceNames.login || token == CollectionToken.session: token
        default: try await collection(at: path, caller).token
        }
    }

    /// `default` and `login` name the permanent collection, unless the caller has set these aliases itself.
    func collection(alias: String, _ caller: Caller) async throws(BusError) -> SecretCollection? {
        let collections = try await caller.keychain.collections()
        if let named = collections.first(where: { $0.alias == alias }) { return named }
        switch alias {
        case "default", SecretServiceNames.login: return collections.first { $0.token == SecretServiceNames.login }
        case CollectionToken.session: return .session
        default: return nil
        }
    }

    /// The paths of items, each in its collection if that is one of the caller's, else in `login`.
    func paths(of items: [SecretItem], _ caller: Caller) async throws(BusError) -> [String] {
        var tokens: Set = [SecretServiceNames.login, CollectionToken.session]
        if items.contains(where: { !tokens.contains($0.collection) }) {
            tokens.formUnion(try await caller.keychain.collections().map(\.token))
        }
        return items.map { item in
            path(of: item.id, in: tokens.contains(item.collection) ? item.collection : SecretServiceNames.login).text
        }
    }

    func path(of id: String, in token: String) -> SecretPath {
        let (collection, name) = names.location(of: id, in: token)
        return .item(collection: collection, name: name)
    }
}
