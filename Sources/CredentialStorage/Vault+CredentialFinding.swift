// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// Finding credentials. One is found by each of its services.
extension Vault {
    /// Up to `limit` of a service's credentials that are wanted, by id and version, behind a position. Opens no others.
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
            var places = try places(underSite: site, parts, statements)
            let known = Set(places.map(\.id))
            let others = try self.places(for: service, parts, statements).filter { !known.contains($0.id) }
            if !others.isEmpty { places = (places + others).sorted { $0.position < $1.position } }
            return try page(of: places, .password, after: position, limit, isWanted, parts, statements)
        }
    }

    /// How many are saved for a service first. Opens none.
    package func credentialCount(for service: Service) throws(VaultError) -> Int {
        try read { parts, statements throws(VaultError) in
            try count(in: Credential.scope(service: service, key: parts.keys.index), statements)
        }
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
        let page: VaultPage<Credential, ObjectID> = try list(after: cursor, limit: limit, rows: Self.rowsOfPage) {
            $0.deleted == nil
        }
        return VaultPage(elements: page.elements.map { CredentialSummary($0) }, next: page.next)
    }

    /// How many rows one page of all credentials goes through, deleted ones too: some 4 ms.
    private static let rowsOfPage = 800

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

    /// All of a service.
    func found(
        for service: Service, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [Credential] {
        let first: [Credential] = try fetchAll(in: parts.scope(of: service), parts, statements)
        let tag = Credential.further(service, key: parts.keys.index)
        return first
            + (try looked(up: tag, limit: Self.lookedUp, parts, statements) {
                $0.isFor(service) && $0.service != service
            })
    }

    /// All at or under a site.
    func found(
        underSite site: String, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) -> [Credential] {
        let own: [Credential] = try fetchAll(
            in: parts.scope(of: Service(kind: .domain, value: site)), parts, statements)
        let known = Set(own.map(\.id))
        let tag = Credential.site(site, key: parts.keys.index)
        return own.filter { $0.isUnder(site) }
            + (try looked(up: tag, limit: Self.lookedUp, parts, statements) {
                $0.isUnder(site) && !known.contains($0.id)
            })
    }

    /// How many a service or a site has by look-up: opening them takes some 80 ms, once.
    private static let lookedUp = 4000

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
        var found: [CredentialSummary] = []
        for place in rest where (kind == nil || place.kind == kind) && isWanted(place.id, place.version) {
            guard found.count < limit else { return VaultPage(elements: found, next: found.last?.position) }
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
