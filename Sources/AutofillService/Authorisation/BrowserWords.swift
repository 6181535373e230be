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
    var word: BrowserWords.Key?
}

/// The person's word that a browser may fill at every web site, where the settings let it be given once. It is kept in memory, ends
/// with the login, and is asked for again when many sites were served within a short time.
struct BrowserWords {
    /// To whom it was given.
    struct Key: Hashable, Sendable {
        let subject: Subject
        /// The login in which the browser runs.
        let login: String
        /// How often another vault had taken this one's place.
        let replacements: Int
    }

    private struct Word {
        /// Stands for it in the record of releases.
        let id: ObjectID
        let given: Timestamp
        /// The sites that were served lately, and when each was first, in milliseconds of the steady clock.
        var sites: [Service: Int64] = [:]

        func grant(to subject: Subject, for site: Service) -> Grant {
            Grant(id: id, subject: subject, service: site, decision: .allow, created: given, origin: "prompt")
        }
    }

    private var words: [Key: Word] = [:]

    mutating func give(_ key: Key, id: ObjectID, at now: Timestamp) { words[key] = Word(id: id, given: now) }

    func has(_ key: Key) -> Bool { words[key] != nil }

    /// The words that were given for the vault that has this place now, each as a grant for all web sites, in their ids' order.
    ///
    /// - Parameter replacements: how often another vault has taken its place.
    func grants(replacements: Int) -> [Grant] {
        words.filter { $0.key.replacements == replacements }
            .map { $1.grant(to: $0.subject, for: Service(kind: .origin, value: "*")) }
            .sorted { $0.id < $1.id }
    }

    /// Takes one back.
    ///
    /// - Returns: false where there is none of that id.
    mutating func revoke(_ id: ObjectID) -> Bool {
        guard let key = words.first(where: { $0.value.id == id })?.key else { return false }
        words[key] = nil
        return true
    }

    /// What stands for the word as a grant for a site; nil where none was given, or too many sites were served by it.
    ///
    /// - Parameter now: milliseconds of the steady clock.
    mutating func grant(for site: Service, _ key: Key, at now: Int64) -> Grant? {
        guard var word = words[key] else { return nil }
        word.sites = word.sites.filter { now - $0.value < Int64(Limits.browserSitesMilliseconds) }
        if word.sites[site] == nil {
            guard word.sites.count < Limits.browserSites else {
                words[key] = nil
                return nil
            }
            word.sites[site] = now
        }
        words[key] = word
        return word.grant(to: key.subject, for: site)
    }
}
