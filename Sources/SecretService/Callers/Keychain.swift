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
    private let answers: UnfinishedAnswers
    /// Its process may have run another program before.
    private var sessionOwners = SessionOwners()

    init(_ link: CallerLink, memory: SessionItems, answers: UnfinishedAnswers) {
        (self.link, self.memory, self.answers) = (link, memory, answers)
    }

    private var environment: BridgeEnvironment { link.environment }

    /// The daemon's answer to the greeting.
    func greeted() async throws(BusError) -> CallerLink.Greeted {
        do throws(LinkFailure) { return try await link.greeting() } catch { throw error.reply }
    }

    /// The bundle ID that the daemon has identified the caller by.
    func app() async throws(BusError) -> String { try await greeted().app }

    /// What one call holds for the caller, nothing at first.
    func hold() async throws(BusError) -> HeldBytes { HeldBytes(answers, of: try await app()) }

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
    /// - Parameters:
    ///   - collection: nil for all of them.
    ///   - held: counts each item for as long as the call holds it.
    ///   - isWhole: whether their attributes and labels are returned too.
    func search(
        _ attributes: [String: String], in collection: String?, _ held: HeldBytes, isWhole: Bool = false
    ) async throws(BusError) -> [SecretItem] {
        guard !attributes.keys.contains(where: HiddenAttribute.isHidden) else { return [] }
        var found: [(created: String, item: SecretItem)] = []
        if collection != CollectionToken.session {
            var (cursor, count): (String?, Int) = (nil, 0)
            repeat {
                let answer = try await page(attributes, in: collection, after: cursor)
                for one in answer.items where one.details.attributes?[HiddenAttribute.collection] == nil {
                    let item = isWhole ? SecretItem(one) : SecretItem(one).withoutDetails
                    try held.add(item.bytes)
                    found.append((one.created ?? "", item))
                }
                cursor = answer.next
                count += answer.items.count
            } while cursor != nil && count < BridgeLimits.itemsPerSearch
        }
        var items = found.sorted { ($0.created, $0.item.id) < ($1.created, $1.item.id) }.map(\.item)
        guard collection == nil || collection == CollectionToken.session else { return items }
        // After the prompt: a search that waits would keep what the program replaces meanwhile.
        for one in memory.search(attributes, of: try await keeper()) {
            let item = isWhole ? one : one.withoutDetails
            try held.add(item.bytes)
            items.append(item)
        }
        return items
    }

    /// - Parameter cursor: of the page before it; nil for the first page.
    func page(
        _ attributes: [String: String], in collection: String?, after cursor: String?
    ) async throws(BusError) -> KeychainSearch.Answer {
        try await call(
            KeychainSearch(
                attributes: attributes, collection: collection,
                page: PageRequest(limit: Limits.listLimit, cursor: cursor)))
    }

    /// The metadata of items that can be read without a prompt; items that do not exist are left out.
    func metadata(of ids: [String]) async throws(BusError) -> [SecretItem] {
        let keeper = try await keeper()
        let there = ids.filter(Self.isStored)
        var found: [SecretItem] = []
        if !there.isEmpty {
            // Of this the callers keep ids, except for a single item.
            let held = try await hold()
            defer { held.end() }
            try held.add(there.count * BridgeLimits.answerBytesPerMetadata)
            found = try await request(there, interaction: .forbid, window: nil)
        }
        return ids.compactMap { memory.item($0, of: keeper) } + found
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
