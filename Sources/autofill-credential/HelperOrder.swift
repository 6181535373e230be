// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import SecretMemory

/// One task over one connection.
struct HelperOrder {
    private let connection: HelperConnection
    /// Whether the person may be asked: not for the passphrase of a locked vault, for which a tool would wait in vain.
    private let interaction: Interaction
    private let tool: HelperTool

    init(_ connection: HelperConnection, for tool: HelperTool, mayAsk: Bool) {
        (self.connection, self.tool) = (connection, tool)
        interaction = mayAsk ? .allow : .forbid
    }

    private static func service(_ place: String) -> ServiceIdentifier { ServiceIdentifier(type: "url", value: place) }

    func get(_ place: String, _ named: String?) throws(HelperFailure) -> KeptPassword {
        let own = tool == .git ? nil : try ownPlaces()
        // docker has one user a server, whoever else was one before.
        let user = named ?? own?.first { $0.place == place }?.user
        let found = try connection.perform(
            CredentialGet(
                service: Self.service(place), user: user.map { EmptyText.escaped($0) }, interaction: interaction))
        let kept = KeptPlace(place: place, user: EmptyText.plain(found.summary.user))
        let notes = tool == .git ? try notes(of: kept) : SecretBytes(utf8: "")
        if let own, !own.contains(kept) { try note(kept) }
        return KeptPassword(user: kept.user, password: EmptyText.plain(found.password), notes: notes)
    }

    /// Nobody is asked about these besides.
    private func notes(of kept: KeptPlace) throws(HelperFailure) -> SecretBytes {
        guard let account = kept.account else { return SecretBytes(utf8: "") }
        do throws(HelperFailure) {
            return try connection.perform(
                KeychainGet(.place(service: KeptPlace.service, account: account), interaction: .forbid)
            ).data
        } catch {
            guard case .refused = error else { throw error }
            if error.isFor("item-not-found") { try note(kept) }
            return SecretBytes(utf8: "")
        }
    }

    /// What was saved by another way, and is given out, is the tool's to erase from then on: one that a server refuses would else be
    /// given out for ever.
    private func note(_ kept: KeptPlace) throws(HelperFailure) {
        guard let account = kept.account else { return }
        let call = KeychainSet(
            service: KeptPlace.service, account: account, data: SecretBytes(utf8: ""), interaction: .forbid)
        do throws(HelperFailure) { _ = try connection.perform(call) } catch {
            guard case .refused = error else { throw error }
        }
    }

    func store(
        _ place: String, _ user: String, _ password: SecretBytes, _ notes: SecretBytes
    ) throws(HelperFailure) {
        _ = try connection.perform(
            CredentialSave(
                service: Self.service(place), user: EmptyText.escaped(user), password: EmptyText.escaped(password),
                interaction: interaction))
        if tool == .docker {
            for former in try ownPlaces() ?? [] where former.place == place && former.user != user {
                try forget(former)
            }
        }
        guard let account = KeptPlace(place: place, user: user).account else { return }
        _ = try connection.perform(
            KeychainSet(service: KeptPlace.service, account: account, data: notes, interaction: interaction))
    }

    /// What was stored in this tool's name.
    func stored(_ interaction: Interaction? = nil) throws(HelperFailure) -> [KeptPlace] {
        var (places, cursor): ([KeptPlace], String?) = ([], nil)
        repeat {
            let page = try connection.perform(
                KeychainList(
                    service: KeptPlace.service, page: PageRequest(limit: Limits.listLimit, cursor: cursor),
                    interaction: interaction ?? self.interaction))
            places += page.items.compactMap { $0.place.flatMap { KeptPlace(account: $0.account) } }
            cursor = page.next
        } while cursor != nil
        return places
    }

    func erase(
        _ place: String, _ user: String?, _ password: SecretBytes?
    ) throws(HelperFailure) -> HelperOutcome {
        func isMeant(_ kept: KeptPlace) -> Bool { kept.place == place && (user == nil || kept.user == user) }
        // What was never stored or given out here would have to be asked about. (What is too long to be noted is not among them.)
        let canBeNoted = KeptPlace(place: place, user: user ?? "").account != nil
        let own = canBeNoted ? try ownPlaces() : nil
        if let own, !own.contains(where: isMeant) { return .notFound }
        var hasErased = false
        // Notes of what was deleted by another way.
        var stale = Set(own ?? []).filter(isMeant)
        for summary in try credentials(at: place) {
            let kept = KeptPlace(place: place, user: EmptyText.plain(summary.user))
            guard isMeant(kept) else { continue }
            stale.remove(kept)
            if let password {
                let found = try connection.perform(
                    CredentialGet(service: Self.service(place), user: summary.user, interaction: interaction))
                guard EmptyText.plain(found.password).equals(password) else { continue }
            }
            _ = try connection.perform(CredentialDelete(credential: summary.credential, interaction: interaction))
            try forget(kept)
            hasErased = true
        }
        for kept in stale { try forget(kept) }
        return hasErased ? .done : .notFound
    }

    /// Takes away what was noted of a password.
    private func forget(_ kept: KeptPlace) throws(HelperFailure) {
        guard let account = kept.account else { return }
        _ = try connection.perform(
            KeychainDelete(.place(service: KeptPlace.service, account: account), interaction: interaction))
    }

    /// What was stored in this tool's name; nil where the person would have to be asked.
    private func ownPlaces() throws(HelperFailure) -> [KeptPlace]? {
        do throws(HelperFailure) {
            return try stored(.forbid)
        } catch {
            guard error.isFor("interaction-required") else { throw error }
            return nil
        }
    }

    private func credentials(at place: String) throws(HelperFailure) -> [CredentialSummary] {
        var (found, cursor): ([CredentialSummary], String?) = ([], nil)
        repeat {
            let page = try connection.perform(
                CredentialList(
                    service: Self.service(place), page: PageRequest(limit: Limits.listLimit, cursor: cursor),
                    interaction: interaction))
            found += page.credentials
            cursor = page.next
        } while cursor != nil
        return found
    }
}
