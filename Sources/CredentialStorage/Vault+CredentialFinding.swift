// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Finding credentials. One is found by each of its services.
extension Vault {
    /// Up to `limit` of a service's credentials that are wanted, by id and version, behind a position; fewer where these are more bytes
    /// than a turn may open. Opens no others.
    ///
    /// - Parameter kind: nil for all.
    package func credentials(
        for service: Service, kind: Credential.Kind? = nil, after position: CredentialPosition?, limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        try read { parts, statements throws(VaultError) in
            let places = try places(for: service, parts, statements)
            return try page(of: places, kind, after: position, limit, isWanted, parts, statements)
        }
    }

    /// The passwords that may be filled at a site, in pages like those of a service: what is saved for `service` itself, and
    /// what one of whose services is a domain or an https origin at or under the site, unless it matches exactly only.
    ///
    /// - Parameter site: the registrable domain of `service`, in the canonical form of a domain.
    package func credentials(
        underSite site: String, asking service: Service, after position: CredentialPosition?, limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        try read { parts, statements throws(VaultError) in
            let places = try places(underSite: site, asking: service, parts, statements)
            return try page(of: places, .password, after: position, limit, isWanted, parts, statements)
        }
    }

    /// The password of a user among those that may be filled at a site, the last used first: opens no others, but for those whose names
    /// only seem the same.
    package func credential(
        underSite site: String, asking service: Service, user: String
    ) throws(VaultError) -> Credential? {
        try read { parts, statements throws(VaultError) in
            let hash = CredentialOrders.Place.hash(of: user)
            for place in try places(underSite: site, asking: service, parts, statements)
            where place.kind == .password && place.user == hash {
                let found: Credential?? = try sound { () throws(VaultError) in try fetch(place.id, parts, statements) }
                if let found = found ?? nil, Canonical.utf8(found.user) == Canonical.utf8(user) { return found }
            }
            return nil
        }
    }

    private func places(
        underSite site: String, asking service: Service, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [CredentialOrders.Place] {
        let places = try places(underSite: site, parts, statements)
        let known = Set(places.map(\.id))
        let others = try self.places(for: service, parts, statements).filter { !known.contains($0.id) }
        return others.isEmpty ? places : (places + others).sorted { $0.position < $1.position }
    }

    /// The password of a user, whose name is looked up by the UTF-8 of its NFC form.
    package func credential(for service: Service, user: String) throws(VaultError) -> Credential? {
        try read { parts, statements throws(VaultError) in
            try password(for: service, user: user, parts, statements)
        }
    }

    /// The credential of this id, deleted or not.
    package func credential(_ id: ObjectID) throws(VaultError) -> Credential? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    /// All that are not deleted, in the order of their ids.
    package func credentials(
        after cursor: ObjectID?, limit: Int
    ) throws(VaultError) -> VaultPage<CredentialSummary, ObjectID> {
        let page: VaultPage<Credential, ObjectID> = try list(after: cursor, limit: limit) { $0.deleted == nil }
        return VaultPage(elements: page.elements.map { CredentialSummary($0) }, next: page.next)
    }

    // MARK: - In a transaction

    /// The password of a user, by its first service or a further one.
    func password(
        for service: Service, user: String, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> Credential? {
        let key = parts.keys.index
        let name = Credential.name(service: service, user: user, key: key)
        let index = BlindIndex(scope: parts.scope(of: service), name: name)
        if let found: Credential = try fetch(index, parts, statements) { return found }
        let tag = Credential.further(service, user: user, key: key)
        return try looked(up: tag, limit: 1, parts, statements) {
            $0.isFor(service) && Canonical.utf8($0.user) == Canonical.utf8(user)
        }.first
    }

    /// Another password of one of its services and its user, which it may not stand beside.
    func rival(
        of credential: Credential, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> ObjectID? {
        guard credential.kind == .password, credential.deleted == nil else { return nil }
        for service in credential.services {
            let found = try password(for: service.service, user: credential.user, parts, statements)
            if let found, found.id != credential.id { return found.id }
        }
        return nil
    }

    /// The credentials that a tag leads to, as far as they have what it stands for; one that is damaged is left out.
    private func looked(
        up tag: SealTag, limit: Int, _ parts: UnlockedVault, _ statements: VaultStatements,
        where isMeant: (Credential) -> Bool
    ) throws(VaultError) -> [Credential] {
        var found: [Credential] = []
        for id in try ids(withAll: [tag], limit: limit, statements).elements {
            let credential: Credential?? = try sound { () throws(VaultError) in try fetch(id, parts, statements) }
            if let credential = credential ?? nil, credential.deleted == nil, isMeant(credential) {
                found.append(credential)
            }
        }
        return found
    }

    private func page(
        of places: [CredentialOrders.Place], _ kind: Credential.Kind?, after position: CredentialPosition?,
        _ limit: Int, _ isWanted: (ObjectID, UInt64) -> Bool, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> VaultPage<CredentialSummary, CredentialPosition> {
        let rest = places.drop { place in position.map { place.position <= $0 } ?? false }
        let full = pageEnd(parts)
        var (found, last): ([CredentialSummary], CredentialPosition?) = ([], nil)
        for place in rest where (kind == nil || place.kind == kind) && isWanted(place.id, place.version) {
            guard found.count < limit, last == nil || parts.reads.opened.bytes < full else {
                return VaultPage(elements: found, next: last)
            }
            last = place.position
            let credential: Credential?? = try sound { () throws(VaultError) in
                try fetch(place.id, parts, statements)
            }
            if let credential = credential ?? nil {
                found.append(CredentialSummary(credential, lastUsed: parts.uses[place.id]))
            }
        }
        return VaultPage(elements: found, next: nil)
    }
}
