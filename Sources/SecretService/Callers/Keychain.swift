// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// An item that a caller wants made.
struct NewItem {
    let attributes: [String: String]
    let label: String
    let secret: SecretBytes
    let contentType: String
    let collection: String
    let replaces: Bool
}

/// What a caller has at the daemon: its items, those of others that it may know of, its collections.
final class Keychain {
    let link: CallerLink
    private let memory: SessionItems

    init(_ link: CallerLink, memory: SessionItems) { (self.link, self.memory) = (link, memory) }

    private var surroundings: Surroundings { link.surroundings }

    /// What the daemon knows of the caller.
    func greeted() async throws(BusError) -> CallerLink.Greeted {
        do throws(LinkFailure) { return try await link.greeting() } catch { throw error.told }
    }

    /// The bundle ID by which the daemon knows the caller.
    func app() async throws(BusError) -> String { try await greeted().app }

    func isUnlocked() async throws(BusError) -> Bool { try await greeted().isUnlocked }

    /// Asks the daemon; the person may be asked, for as long as a call is held.
    func hold<Call: MethodCall>(_ call: Call) async throws(BusError) -> Call.Answer {
        do throws(LinkFailure) { return try await link.perform(call, until: surroundings.held) } catch {
            throw error.told
        }
    }

    // MARK: - Looking

    /// The items that have all of these attributes; without any, one's own. While the vault is locked, the person is asked first.
    ///
    /// - Parameter collection: nil: all of them.
    func search(_ attributes: [String: String], in collection: String?) async throws(BusError) -> [SecretItem] {
        guard !attributes.keys.contains(where: HiddenAttribute.isHidden) else { return [] }
        var items: [SecretItem] = []
        if collection == nil || collection == CollectionToken.session {
            items = memory.search(attributes, of: try await app())
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
            let page = try await hold(
                KeychainSearch(
                    attributes: attributes, collection: collection,
                    page: PageRequest(limit: Limits.listLimit, cursor: cursor)))
            found += page.items
            cursor = page.next
        } while cursor != nil && found.count < BridgeLimits.itemsPerSearch
        return found
    }

    /// What may be known of items without asking anybody; those that are not there are left out.
    func look(at ids: [String]) async throws(BusError) -> [SecretItem] {
        let app = try await app()
        let here = ids.compactMap { memory.item($0, of: app) }
        let there = ids.filter(Self.isStored)
        guard !there.isEmpty else { return here }
        return here + (try await request(there, interaction: .forbid, window: nil))
    }

    /// - Parameter interaction: whether the person is asked, once, for those that are withheld; there is no end of waiting for that.
    func request(
        _ ids: [String], interaction: Interaction, window: String?
    ) async throws(BusError) -> [SecretItem] {
        var items: [SecretItem] = []
        var rest = ids
        do throws(LinkFailure) {
            while !rest.isEmpty {
                let call = KeychainRequest(items: rest, parentWindow: window, interaction: interaction)
                let answer = try await link.perform(call, until: interaction == .forbid ? surroundings.held : nil)
                items += answer.items.map(SecretItem.init)
                items += answer.withheld.map {
                    SecretItem(
                        id: $0, isWithheld: true, attributes: [:], label: "", collection: SecretServiceNames.login,
                        created: 0, modified: 0)
                }
                // As many are told at once as a line has room for.
                let told = Set(answer.items.map(\.item))
                let left = answer.readable.filter { !told.contains($0) }
                guard left.count < rest.count else { break }
                rest = left
            }
        } catch {
            throw error.told
        }
        return items
    }

    private static func isStored(_ id: String) -> Bool { id.hasPrefix("itm_") && id.utf8.count == 36 }

    // MARK: - Secrets

    /// Asks the person where the item is another's.
    func secret(of id: String) async throws(BusError) -> (secret: SecretBytes, contentType: String) {
        if SessionItems.has(id) {
            guard let kept = memory.secret(id, of: try await app()) else { throw .noSuchObject(id) }
            return kept
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let answer = try await hold(KeychainGet(.id(id)))
        let contentType = answer.summary.details.contentType ?? ""
        return (answer.data, contentType.isEmpty ? "text/plain" : contentType)
    }

    // MARK: - Changing

    /// What became of an item that was to be made.
    enum Made {
        case item(String, isNew: Bool)
        /// The person has to be asked first.
        case asksPerson
    }

    /// - Parameter mayAsk: whether the person is asked, without an end of waiting for that.
    func make(_ new: NewItem, mayAsk: Bool) async throws(BusError) -> Made {
        if new.collection == CollectionToken.session { return try await makeInMemory(new) }
        let details = ItemDetails(
            attributes: HiddenAttribute.kept(new.attributes), label: new.label, contentType: new.contentType,
            collection: new.collection)
        let call = KeychainSet(
            .attributes(accessGroup: nil), details: details, data: new.secret, replace: new.replaces,
            interaction: mayAsk ? .allow : .forbid)
        do throws(LinkFailure) {
            let saved = try await link.perform(call, until: mayAsk ? nil : surroundings.held)
            return .item(saved.item, isNew: saved.made)
        } catch {
            guard !mayAsk, error.isFor("interaction-required") else { throw error.told }
            return .asksPerson
        }
    }

    private func makeInMemory(_ new: NewItem) async throws(BusError) -> Made {
        let app = try await app()
        do throws(SessionItems.Failure) {
            let (id, isNew) = try memory.set(
                new.attributes, label: new.label, secret: new.secret, contentType: new.contentType,
                replaces: new.replaces, of: app, now: surroundings.seconds)
            return .item(id, isNew: isNew)
        } catch {
            throw .tooMany("The collection session has no more room")
        }
    }

    /// Changes what is given; the person is asked where the item is another's.
    func change(
        _ id: String, label: String? = nil, attributes: [String: String]? = nil,
        secret: (SecretBytes, contentType: String)? = nil
    ) async throws(BusError) {
        if SessionItems.has(id) {
            let app = try await app()
            do throws(SessionItems.Failure) {
                try memory.change(
                    id, of: app, label: label, attributes: attributes, secret: secret, now: surroundings.seconds)
            } catch {
                throw error == .full ? .tooMany("The collection session has no more room") : .noSuchObject(id)
            }
            return
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let details = ItemDetails(
            attributes: attributes.map(HiddenAttribute.kept), label: label, contentType: secret?.contentType)
        _ = try await hold(KeychainSet(.item(id), details: details, data: secret?.0))
    }

    /// - Returns: false where the person has to be asked first.
    func delete(_ id: String, mayAsk: Bool) async throws(BusError) -> Bool {
        if SessionItems.has(id) {
            let app = try await app()
            do throws(SessionItems.Failure) { try memory.delete(id, of: app) } catch { throw .noSuchObject(id) }
            return true
        }
        guard Self.isStored(id) else { throw .noSuchObject(id) }
        let call = KeychainDelete(.id(id), interaction: mayAsk ? .allow : .forbid)
        do throws(LinkFailure) {
            _ = try await link.perform(call, until: mayAsk ? nil : surroundings.held)
            return true
        } catch {
            guard !mayAsk, error.isFor("interaction-required") else { throw error.told }
            return false
        }
    }

    // MARK: - The vault

    /// Has the person open the vault.
    ///
    /// - Parameter window: that the prompt belongs to.
    func unlockVault(window: String? = nil, until deadline: Instant?) async throws(BusError) {
        do throws(LinkFailure) {
            _ = try await link.perform(VaultUnlock(parentWindow: window), until: deadline)
        } catch {
            throw error.told
        }
    }
}

// MARK: - Collections

extension Keychain {
    /// The caller's own, those that are always there first. While the vault is locked only these are known.
    func collections() async throws(BusError) -> [SecretCollection] {
        var own: [SecretCollection] = []
        if try await isUnlocked() {
            own = try await all(HiddenAttribute.record(of: try await app()), in: nil).compactMap(SecretCollection.init)
            own.sort { ($0.created, $0.token) < ($1.created, $1.token) }
        }
        let login = own.first { $0.token == SecretServiceNames.login } ?? .login
        return [login, .session] + own.filter { $0.token != SecretServiceNames.login }
    }

    /// Makes a collection, or the record of one that is always there.
    func makeCollection(_ token: String, label: String, alias: String?) async throws(BusError) {
        let attributes = Self.attributes(token, alias, of: try await app())
        _ = try await hold(
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
        _ = try await hold(
            KeychainSet(.item(record), details: ItemDetails(attributes: attributes, label: label), data: nil))
    }

    private static func attributes(_ token: String, _ alias: String?, of app: String) -> [String: String] {
        var attributes = HiddenAttribute.record(of: app)
        attributes[HiddenAttribute.collection] = token
        attributes[HiddenAttribute.alias] = alias
        return attributes
    }
}
