// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import SecretMemory

/// One task over one connection.
struct HelperOrder {
    private let connection: HelperConnection
    /// Whether a prompt is allowed: not for the passphrase of a locked vault, which would keep the tool waiting.
    private let interaction: Interaction
    private let tool: HelperTool

    init(_ connection: HelperConnection, for tool: HelperTool, mayAsk: Bool) {
        (self.connection, self.tool) = (connection, tool)
        interaction = mayAsk ? .allow : .forbid
    }

    private static func service(_ url: String) -> ServiceIdentifier { ServiceIdentifier(type: "url", value: url) }

    func get(_ url: String, _ named: String?) throws(HelperFailure) -> StoredPassword {
        let own = tool == .git ? nil : try ownLocations()
        // docker has one user per server, even if another one was stored before.
        let user = named ?? own?.first { $0.url == url }?.user
        let found = try connection.perform(
            CredentialGet(
                service: Self.service(url), user: user.map { EmptyText.escaped($0) }, interaction: interaction))
        let kept = StoredLocation(url: url, user: EmptyText.plain(found.summary.user))
        let notes = tool == .git ? try notes(of: kept) : SecretBytes(utf8: "")
        if let own, !own.contains(kept) { try note(kept) }
        return StoredPassword(user: kept.user, password: EmptyText.plain(found.password), notes: notes)
    }

    /// Reading these must not cause a second prompt.
    private func notes(of kept: StoredLocation) throws(HelperFailure) -> SecretBytes {
        guard let account = kept.account else { return SecretBytes(utf8: "") }
        do throws(HelperFailure) {
            return try connection.perform(
                KeychainGet(.place(namespace: StoredLocation.service, account: account), interaction: .forbid)
            ).data
        } catch {
            guard case .refused = error else { throw error }
            if error.isFor("item-not-found") { try note(kept) }
            return SecretBytes(utf8: "")
        }
    }

    /// A password that was saved in another way becomes the tool's to erase when it is returned: otherwise one that the
    /// server refuses would be returned for ever.
    private func note(_ kept: StoredLocation) throws(HelperFailure) {
        guard let account = kept.account else { return }
        let call = KeychainSet(
            namespace: StoredLocation.service, account: account, data: SecretBytes(utf8: ""), interaction: .forbid)
        do throws(HelperFailure) { _ = try connection.perform(call) } catch {
            guard case .refused = error else { throw error }
        }
    }

    func store(
        _ url: String, _ user: String, _ password: SecretBytes, _ notes: SecretBytes
    ) throws(HelperFailure) {
        _ = try connection.perform(
            CredentialSave(
                service: Self.service(url), user: EmptyText.escaped(user), password: EmptyText.escaped(password),
                interaction: interaction))
        if tool == .docker {
            for former in try ownLocations() ?? [] where former.url == url && former.user != user {
                try forget(former)
            }
        }
        guard let account = StoredLocation(url: url, user: user).account else { return }
        _ = try connection.perform(
            KeychainSet(namespace: StoredLocation.service, account: account, data: notes, interaction: interaction))
    }

    /// The credentials that this tool has stored.
    func stored(_ interaction: Interaction? = nil) throws(HelperFailure) -> [StoredLocation] {
        var (locations, cursor): ([StoredLocation], String?) = ([], nil)
        repeat {
            let page = try connection.perform(
                KeychainSearch(
                    namespace: StoredLocation.service, page: PageRequest(limit: Limits.listLimit, cursor: cursor),
                    interaction: interaction ?? self.interaction))
            locations += page.items.compactMap { $0.place.flatMap { StoredLocation(account: $0.account) } }
            cursor = page.next
        } while cursor != nil
        return locations
    }

    func erase(
        _ url: String, _ user: String?, _ password: SecretBytes?
    ) throws(HelperFailure) -> HelperOutcome {
        func isMeant(_ kept: StoredLocation) -> Bool { kept.url == url && (user == nil || kept.user == user) }
        // Erasing a password that was never stored or returned here would need a prompt. (Those whose names are too
        // long are not recorded.)
        let canBeNoted = StoredLocation(url: url, user: user ?? "").account != nil
        let own = canBeNoted ? try ownLocations() : nil
        if let own, !own.contains(where: isMeant) { return .notFound }
        var hasErased = false
        // Records of credentials that were deleted in another way.
        var stale = Set(own ?? []).filter(isMeant)
        for summary in try credentials(at: url) {
            let kept = StoredLocation(url: url, user: EmptyText.plain(summary.user))
            guard isMeant(kept) else { continue }
            stale.remove(kept)
            if let password {
                let found = try connection.perform(
                    CredentialGet(service: Self.service(url), user: summary.user, interaction: interaction))
                guard EmptyText.plain(found.password).equals(password) else { continue }
            }
            _ = try connection.perform(CredentialDelete(credential: summary.credential, interaction: interaction))
            try forget(kept)
            hasErased = true
        }
        for kept in stale { try forget(kept) }
        return hasErased ? .done : .notFound
    }

    /// Deletes the record of a password.
    private func forget(_ kept: StoredLocation) throws(HelperFailure) {
        guard let account = kept.account else { return }
        _ = try connection.perform(
            KeychainDelete(.place(namespace: StoredLocation.service, account: account), interaction: interaction))
    }

    /// The credentials that this tool has stored; nil if reading them needs a prompt.
    private func ownLocations() throws(HelperFailure) -> [StoredLocation]? {
        do throws(HelperFailure) {
            return try stored(.forbid)
        } catch {
            guard error.isFor("interaction-required") else { throw error }
            return nil
        }
    }

    private func credentials(at url: String) throws(HelperFailure) -> [CredentialSummary] {
        var (found, cursor): ([CredentialSummary], String?) = ([], nil)
        repeat {
            let page = try connection.perform(
                CredentialList(
                    service: Self.service(url), page: PageRequest(limit: Limits.listLimit, cursor: cursor),
                    interaction: interaction))
            found += page.credentials
            cursor = page.next
        } while cursor != nil
        return found
    }
}
