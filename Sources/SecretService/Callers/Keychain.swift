// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// An item that a caller wants to create.
struct NewItem {
    let attributes: [String: String]
    let label: String
    let secret: SecretBytes
    let contentType: String
    let collection: String
    let replaces: Bool
}

/// A caller's view of the daemon: its items, the items of others that it may see, its collections.
final class Keychain {
    let link: CallerLink
    private let memory: SessionItems
    /// Its process may have run another program before.
    private var sessionOwners = SessionOwners()

    init(_ link: CallerLink, memory: SessionItems) { (self.link, self.memory) = (link, memory) }

    private var environment: BridgeEnvironment { link.environment }

    /// The daemon's answer to the greeting.
    func greeted() async throws(BusError) -> CallerLink.Greeted {
        do throws(LinkFailure) { return try await link.greeting() } catch { throw error.reply }
    }

    /// The bundle ID that the daemon has identified the caller by.
    func app() async throws(BusError) -> String { try await greeted().app }

    /// Whose items of the collection `session` it may see.
    private func keeper() async throws(BusError) -> SessionItems.Owner {
        let app = try await app()
        return sessionOwners.owner(of: app, on: link.name, isShared: link.process?.isShared == true)
    }

    /// Whether it has items that end with the connection.
    var hasOwnItems: Bool { sessionOwners.ofConnection.contains(where: memory.hasItems(of:)) }

    /// The connection has ended.
    func end() {
        for owner in sessionOwners.ofConnection { memory.deleteAll(of: owner) }
        link.end()
    }

    func isUnlocked() async throws(BusError) -> Bool { try await greeted().isUnlocked }

    /// Calls the daemon; the user may be prompted, within the time limit of a call.
    func call<Call: MethodCall>(_ call: Call) async throws(BusError) -> Call.Answer {
        do throws(LinkFailure) { return try await link.perform(call, until: environment.callDeadline) } catch {
            throw error.reply
        }
    }

    // MARK: - Searching

    /// The items that have all of these attributes; without any, the caller's own. While the vault is locked, the user
    /// is prompted first.
    ///
    /// - Parameter collection: nil for all of them.
    func search(_ attributes: [String: String], in collection: String?) async throws(BusError) -> [SecretItem] {
        guard !attributes.keys.contains(where: HiddenAttribute.isHidden) else { return [] }
        var items: [SecretItem] = []
        if collection == nil || collection == CollectionToken.session {
            items = memory.search(attributes, of: try await keeper())
            if collection != nil { return items }
        }
        let found = try await all(attributes, in: collection).filter {
            $0.details.attributes?[HiddenAttribute.collection] == nil
        }
        return found.sorted { ($0.created ?? "", $0.item) < ($1.created ?? "", $1.item) }.map(SecretItem.init) + items
    }

    private func all(
        _ attributes: [String: String], in collection: String?
    ) async throws(BusError) -> [KeychainSearch.FoundItem] {
        var found: [KeychainSearch.FoundItem] = []
        var cursor: String?
        repeat {
            let page = try await call(
                KeychainSearch(
                    attributes: attributes, collection: collection,
                    page: PageRequest(limit: Limits.listLimit, cursor: cursor)))
            found += page.items
            cursor = page.next
        } while cursor != nil && found.count < BridgeLimits.itemsPerSearch
        return found
    }

    /// The metadata of items that can be read without a prompt; items that do not exist are left out.
    func metadata(of ids: [String]) async throws(BusError) -> [SecretItem] {
        let keeper = try await keeper()
        let here = ids.compactMap { memory.item($0, of: keeper) }
        let there = ids.filter(Self.isStored)
        guard !there.isEmpty else { return here }
        return here + (try await request(there, interaction: .forbid, window: nil))
    }

    /// - Parameter interaction: whether the user is prompted, once, for those that are withheld; without a time limit.
    func request(
        _ ids: [String], interaction: Interaction, window: String?
    ) async throws(BusError) -> [SecretItem] {
        var items: [SecretItem] = []
        var rest = ids
        do throws(LinkFailure) {
            while !rest.isEmpty {
                let call = KeychainRequest(items: rest, interaction: interaction)
                let answer = try await link.perform(
                    call, in: PageContext(parentWindow: window),
                    until: interaction == .forbid ? environment.callDeadline : nil)
                items += answer.items.map(SecretItem.init)
                items += answer.withheld.map {
                    SecretItem(
                        id: $0, isWithheld: true, attributes: [:], label: "", collection: SecretServiceNames.login,
                        created: 0, modified: 0)
                }
                // An answer has as many items as fit into one line.
                let returned = Set(answer.items.map(\.item))
                let left = answer.readable.filter { !returned.contains($0) }
                guard left.count < rest.count else { break }
                rest = left
            }
        } catch {
            throw error.reply
        }
        return items
    }

    private static func isStored(_ id: String) -> Bool { id.hasPrefix("itm_") && id.utf8.count == 36 }

    // MARK: - Secrets

    /// Prompts the user if the item is another program's.
    func secret(of id: String) async throws(BusError) -> (secret: SecretBytes, contentType: String) {
        if SessionItems.has(id) {
            guard let kept = memory.secret(id, of: try await keeper()) else { throw .noSuchObject(id) }
            return kept
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let answer = try await call(KeychainGet(.id(id)))
        let contentType = answer.summary.details.contentType ?? ""
        return (answer.data, contentType.isEmpty ? "text/plain" : contentType)
    }

    // MARK: - Changing

    /// The result of creating an item.
    enum Made {
        case item(String, isNew: Bool)
        /// The user has to be prompted first.
        case needsPrompt
    }

    /// - Parameter mayAsk: whether the user is prompted, without a time limit.
    func make(_ new: NewItem, mayAsk: Bool) async throws(BusError) -> Made {
        if new.collection == CollectionToken.session { return try await makeInMemory(new) }
        let details = ItemDetails(
            attributes: HiddenAttribute.kept(new.attributes), label: new.label, contentType: new.contentType,
            collection: new.collection)
        let call = KeychainSet(
            .attributes(accessGroup: nil), details: details, data: new.secret, replace: new.replaces,
            interaction: mayAsk ? .allow : .forbid)
        do throws(LinkFailure) {
            let saved = try await link.perform(call, until: mayAsk ? nil : environment.callDeadline)
            return .item(saved.item, isNew: saved.made)
        } catch {
            guard !mayAsk, error.isFor("interaction-required") else { throw error.reply }
            return .needsPrompt
        }
    }

    private func makeInMemory(_ new: NewItem) async throws(BusError) -> Made {
        let keeper = try await keeper()
        do throws(SessionItems.Failure) {
            let (id, isNew) = try memory.set(
                new.attributes, label: new.label, secret: new.secret, contentType: new.contentType,
                replaces: new.replaces, of: keeper, now: environment.seconds)
            return .item(id, isNew: isNew)
        } catch {
            throw .tooMany("The collection session is full")
        }
    }

    /// Changes what is given; the user is prompted if the item is another program's.
    func change(
        _ id: String, label: String? = nil, attributes: [String: String]? = nil,
        secret: (SecretBytes, contentType: String)? = nil
    ) async throws(BusError) {
        if SessionItems.has(id) {
            let keeper = try await keeper()
            do throws(SessionItems.Failure) {
                try memory.change(
                    id, of: keeper, label: label, attributes: attributes, secret: secret, now: environment.seconds)
            } catch {
                throw error == .full ? .tooMany("The collection session is full") : .noSuchObject(id)
            }
            return
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let details = ItemDetails(
            attributes: attributes.map(HiddenAttribute.kept), label: label, contentType: secret?.contentType)
        _ = try await call(KeychainSet(.item(id), details: details, data: secret?.0))
    }

    /// - Returns: false if the user has to be prompted first.
    func delete(_ id: String, mayAsk: Bool) async throws(BusError) -> Bool {
        if SessionItems.has(id) {
            let keeper = try await keeper()
            do throws(SessionItems.Failure) { try memory.delete(id, of: keeper) } catch { throw .noSuchObject(id) }
            return true
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let call = KeychainDelete(.id(id), interaction: mayAsk ? .allow : .forbid)
        do throws(LinkFailure) {
            _ = try await link.perform(call, until: mayAsk ? nil : environment.callDeadline)
            return true
        } catch {
            guard !mayAsk, error.isFor("interaction-required") else { throw error.reply }
            return false
        }
    }

    // MARK: - The vault

    /// Prompts the user to unlock the vault if it is locked.
    func requireUnlocked() async throws(BusError) { try await requireUnlocked(until: environment.callDeadline) }

    func requireUnlocked(until deadline: Instant?) async throws(BusError) {
        if !(try await isUnlocked()) { try await unlockVault(until: deadline) }
    }

    /// Prompts the user to unlock the vault.
    ///
    /// - Parameter window: the parent window of the prompt.
    func unlockVault(window: String? = nil, until deadline: Instant?) async throws(BusError) {
        do throws(LinkFailure) {
            _ = try await link.perform(VaultUnlock(), in: PageContext(parentWindow: window), until: deadline)
        } catch {
            throw error.reply
        }
    }
}

// MARK: - Collections

extension Keychain {
    /// The caller's own, the permanent ones first. While the vault is locked only the permanent ones are listed.
    func collections() async throws(BusError) -> [SecretCollection] {
        var own: [SecretCollection] = []
        if try await isUnlocked() {
            own = try await all(HiddenAttribute.record(of: try await app()), in: nil).compactMap(SecretCollection.init)
            own.sort { ($0.created, $0.token) < ($1.created, $1.token) }
        }
        let login = own.first { $0.token == SecretServiceNames.login } ?? .login
        return [login, .session] + own.filter { $0.token != SecretServiceNames.login }
    }

    /// Creates a collection, or the record of a permanent one.
    func makeCollection(_ token: String, label: String, alias: String?) async throws(BusError) {
        let attributes = Self.attributes(token, alias, of: try await app())
        _ = try await call(
            KeychainSet(
                .attributes(accessGroup: nil),
                details: ItemDetails(attributes: attributes, label: label, collection: token),
                data: SecretBytes(utf8: ""), replace: true))
    }

    /// - Parameter alias: nil: it has none from now on.
    func change(_ collection: SecretCollection, label: String, alias: String?) async throws(BusError) {
        guard let record = collection.record else {
            return try await makeCollection(collection.token, label: label, alias: alias)
        }
        let attributes = Self.attributes(collection.token, alias, of: try await app())
        _ = try await call(
            KeychainSet(.item(record), details: ItemDetails(attributes: attributes, label: label), data: nil))
    }

    private static func attributes(_ token: String, _ alias: String?, of app: String) -> [String: String] {
        var attributes = HiddenAttribute.record(of: app)
        attributes[HiddenAttribute.collection] = token
        attributes[HiddenAttribute.alias] = alias
        return attributes
    }
}
