// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import SecretMemory

/// Where a browser shows what it asks for, and what a remembered yes is then for.
struct PromptedPage: Hashable, Sendable {
    /// The origin of the whole page, where what is asked for is a frame of another site in it.
    var top: String?
    /// The window that the prompt belongs to, as the browser names it.
    var window: String?
    /// Set where a remembered yes is for all web sites.
    var consent: BrowserConsents.Key?
}

/// The user's consent that a browser may fill at every web site, where the settings let it be given once. It is kept in memory, ends
/// with the login, and is asked for again when many sites were served within a short time.
final class BrowserConsents {
    /// The subject that it was given to.
    struct Key: Hashable, Sendable {
        let subject: Subject
        /// The login in which the browser runs.
        let login: String
        /// How often another vault had replaced this one.
        let replacements: Int
    }

    private struct Consent {
        /// Its id in the record of releases.
        let id: ObjectID
        let given: Timestamp
        /// The sites that were served lately, and when each was first, in milliseconds of the steady clock.
        var sites: [Service: Int64] = [:]

        func grant(to subject: Subject, for site: Service) -> Grant {
            Grant(id: id, subject: subject, service: site, decision: .allow, created: given, origin: "prompt")
        }
    }

    private var consents: [Key: Consent] = [:]
    private let environment: ServiceContext

    init(_ environment: ServiceContext) { self.environment = environment }

    func give(_ key: Key) {
        var entropy = environment.entropy
        environment.revision.advance()
        consents[key] = Consent(id: .random(.grant, using: &entropy), given: environment.clock.now)
    }

    /// The consents that were given for the present vault, each as a grant for all web sites, in the order of their ids.
    ///
    /// - Parameter replacements: how often another vault has replaced this one.
    func grants(replacements: Int) -> [Grant] {
        consents.filter { $0.key.replacements == replacements }
            .map { $1.grant(to: $0.subject, for: Service(kind: .origin, value: "*")) }
            .sorted { $0.id < $1.id }
    }

    /// - Returns: false where there is none of that id.
    func revoke(_ id: ObjectID) -> Bool {
        guard let key = consents.first(where: { $0.value.id == id })?.key else { return false }
        consents[key] = nil
        return true
    }

    /// The consent as a grant for a site; nil where none was given, or with this site too many are served by it.
    ///
    /// - Parameter noted: the sites that the judgement under way has read it for, this one among them.
    func grant(for site: Service, _ key: Key, noted: [Service]) -> Grant? {
        guard let consent = consents[key] else { return nil }
        let isHeld = sites(of: consent, and: noted).count <= Limits.browserSites
        return isHeld ? consent.grant(to: key.subject, for: site) : nil
    }

    /// Counts a site for which a consent was read. The consent ends where these are too many: what was decided by it is decided again.
    func count(_ site: Service, _ key: Key) {
        guard var consent = consents[key] else { return }
        consent.sites = sites(of: consent, and: [site])
        let isHeld = consent.sites.count <= Limits.browserSites
        consents[key] = isHeld ? consent : nil
        if !isHeld { environment.revision.advance() }
    }

    /// The sites that were served lately, and those that are served now.
    private func sites(of consent: Consent, and new: [Service]) -> [Service: Int64] {
        let now = environment.clock.steady.milliseconds
        let lately = consent.sites.filter { now - $0.value < Int64(Limits.browserSitesMilliseconds) }
        return new.reduce(into: lately) { sites, site in sites[site] = sites[site] ?? now }
    }
}
