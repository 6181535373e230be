// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// What is stored in the vault about sites: a bounded number of them, and only registered ones.
final class StoredSites {
    private static let prefix = "association/"

    private let vault: VaultKeeper
    /// The sites that are stored, the longest unchanged first, and of which vault; nil before they were listed.
    private var listed: (replacements: Int, sites: [AssociationQuery])?
    /// Those that files of registrations named at the last call of `deleteUnregistered`.
    private var registered: Set<AssociationQuery> = []

    init(_ vault: VaultKeeper) { self.vault = vault }

    subscript(_ query: AssociationQuery) -> StoredAssociation? {
        guard let open = vault.opened, open.state == .unlocked else { return nil }
        return (try? open.readers.settings.get(Self.name(query))).flatMap { StoredAssociation.read($0) }
    }

    /// Stores what is known of a site. While the vault is closed it is not stored, and the site is asked again after the next start.
    func store(_ site: StoredAssociation, of query: AssociationQuery) {
        noteFault { vault throws(VaultError) in
            var sites = try list(vault).filter { $0 != query }
            try vault.writers.settings.set(Self.name(query), to: site.stored, at: self.vault.clock.now)
            sites.append(query)
            listed?.sites = sites
            guard sites.count > Limits.storedAssociations else { return }
            let oldest = sites.first { !registered.contains($0) && $0 != query } ?? sites[0]
            try delete([oldest], vault)
        }
    }

    /// Deletes what is stored about sites that no registration names.
    ///
    /// - Parameters:
    ///   - byFiles: those that files of registrations name. One that was among them before is deleted at once.
    ///   - byApps: those that connected apps' own registrations name.
    ///   - isNeeded: whether what is stored is still valid; if not, a site that was not registered since the start is deleted.
    /// - Returns: those that were deleted.
    func deleteUnregistered(
        byFiles: Set<AssociationQuery>, byApps: Set<AssociationQuery>, isNeeded: (AssociationQuery) -> Bool
    ) -> [AssociationQuery] {
        let former = registered
        registered = byFiles
        var deleted: [AssociationQuery] = []
        noteFault { vault throws(VaultError) in
            deleted = try list(vault).filter { query in
                !byFiles.contains(query) && !byApps.contains(query) && (former.contains(query) || !isNeeded(query))
            }
            if !deleted.isEmpty { try delete(deleted, vault) }
        }
        return deleted
    }

    private func delete(_ queries: [AssociationQuery], _ vault: Vault) throws(VaultError) {
        try vault.writers.settings.remove(queries.map(Self.name))
        let deleted = Set(queries)
        listed?.sites.removeAll { deleted.contains($0) }
    }

    private func list(_ vault: Vault) throws(VaultError) -> [AssociationQuery] {
        if let listed, listed.replacements == vault.replacements { return listed.sites }
        // No statement is as long as the file that it is from may be, twice.
        let sites = try vault.readers.settings.names(beginning: Self.prefix, upTo: 2 * Limits.associationBytes)
            .compactMap(Self.query)
        listed = (vault.replacements, sites)
        return sites
    }

    /// No request waits for it: a fault is written to the journal.
    private func noteFault(_ body: (Vault) throws(VaultError) -> Void) {
        guard let open = vault.opened, open.state == .unlocked else { return }
        do throws(VaultError) { try body(open) } catch {
            listed = nil
            vault.note(error.refusal, of: "what sites state could not be stored")
        }
    }

    private static func name(_ query: AssociationQuery) -> String {
        "\(prefix)\(query.mode.rawValue)/\(query.domain)"
    }

    private static func query(_ name: String) -> AssociationQuery? {
        let words = name.split(separator: "/", maxSplits: 2)
        guard words.count == 3, let mode = AssociationQuery.Mode(rawValue: String(words[1])) else { return nil }
        return AssociationQuery(domain: String(words[2]), mode: mode)
    }
}
