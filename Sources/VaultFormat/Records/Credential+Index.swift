// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What a credential is found by.
extension Credential {
    /// A service has one password of each user; of another kind it may have any number.
    package func blindIndex(key: KeyedHash) -> BlindIndex {
        guard deleted == nil else { return Self.deletedIndex(of: id, key: key) }
        guard kind != .password else { return Self.blindIndex(service: service, user: user, key: key) }
        return BlindIndex(
            scope: Self.scope(service: service, key: key),
            name: BlindIndex.digest(.credentialOfOtherKind, [id.description], key: key))
    }

    /// Where it is found while it is deleted.
    package static func deletedIndex(of id: ObjectID, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: deletedScope(key: key), name: BlindIndex.digest(.deletedCredential, [id.description], key: key))
    }

    package static func blindIndex(service: Service, user: String, key: KeyedHash) -> BlindIndex {
        BlindIndex(scope: scope(service: service, key: key), name: name(service: service, user: user, key: key))
    }

    package static func name(service: Service, user: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.credentialUser, [service.kind.rawValue, service.value, user], key: key)
    }

    package static func scope(service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.credentialService, [service.kind.rawValue, service.value], key: key)
    }

    package static func deletedScope(key: KeyedHash) -> SealTag { BlindIndex.digest(.deletedCredentials, [], key: key) }

    // MARK: - Look-ups

    /// What it is found by besides its own index: its further services, and the sites that its hosts are under.
    package func lookups(key: KeyedHash) -> [SealTag] {
        guard deleted == nil else { return [] }
        var tags: [SealTag] = []
        for (number, service) in services.enumerated() {
            if number > 0 {
                tags.append(Self.further(service.service, key: key))
                if kind == .password { tags.append(Self.further(service.service, user: user, key: key)) }
            }
            // The first one's own host is found by its index.
            let isIndexed = number == 0 && service.service.kind == .domain
            tags += service.sites.dropFirst(isIndexed ? 1 : 0).map { Self.site($0, key: key) }
        }
        return tags
    }

    package static func further(_ service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.furtherService, [service.kind.rawValue, service.value], key: key)
    }

    package static func further(_ service: Service, user: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.furtherUser, [service.kind.rawValue, service.value, user], key: key)
    }

    package static func site(_ name: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.credentialSite, [name], key: key)
    }

    /// Whether one of its services is at or under a site, and matches there.
    package func isUnder(_ site: String) -> Bool { services.contains { $0.sites.contains(site) } }

    /// The lists that it is in: of each of its services, and of the sites that they are at or under.
    package func lists(key: KeyedHash) -> Set<SealTag> {
        var lists = Set(services.map { Self.scope(service: $0.service, key: key) })
        for service in services { lists.formUnion(service.sites.map { Self.site($0, key: key) }) }
        return lists
    }
}

extension CredentialService {
    /// The host itself, and the domains above it that may be its site, the nearest first: those of two labels or more, six at most,
    /// the shortest. Which of them is the registrable domain is not determined here. None where it matches nowhere else.
    fileprivate var sites: [String] {
        guard match == .site, let host else { return [] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 2 else { return [host] }
        let above = (2..<labels.count).reversed().map { labels.suffix($0).joined(separator: ".") }
        return [host] + above.suffix(Self.sitesAbove)
    }

    private static var sitesAbove: Int { 6 }

    /// Of a domain, or of an https origin; the value is canonical.
    private var host: String? {
        switch service.kind {
        case .domain: return service.value
        case .origin:
            let start = "https://"
            guard service.value.hasPrefix(start) else { return nil }
            return service.value.dropFirst(start.count).split(separator: ":").first.map(String.init)
        default: return nil
        }
    }
}
