// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PasswordRules
internal import SiteKnowledge

/// The rules of known sites, for a search, and to find those with the same rules.
struct SiteRulesIndex {
    private let rules: [String: PublicSiteData.Rules]
    private let domains: [String]
    /// Domains by the canonical form of their rules.
    private let sharing: [String: [String]]

    init(_ sites: PublicSiteData) {
        rules = sites.rules
        domains = rules.keys.sorted()
        sharing = Dictionary(
            grouping: domains, by: { sites.rules[$0].flatMap { Self.parsed($0.descriptor)?.description } ?? "" })
    }

    private static func parsed(_ descriptor: String) -> PasswordRules? { try? PasswordRules(descriptor: descriptor) }

    /// `"known": 400, "found": 2, "sites": [{"domain": …, "rules": …, "exact": …, "length": …, "bits": …}]`: the domains
    /// that contain a text, those that begin with it first; where there is none, the one above it whose rules hold there.
    func write(matching text: String, to writer: inout JSONWriter) {
        let text = text.lowercased()
        var found = domains.filter { text.isEmpty || $0.contains(text) }
        if found.isEmpty, let above = above(text) { found = [above] }
        let ordered = found.filter { $0.hasPrefix(text) } + found.filter { !$0.hasPrefix(text) }
        writer.member("known", domains.count)
        writer.member("found", found.count)
        writer.member(
            "sites",
            array: { writer in
                for domain in ordered.prefix(PlaygroundLimits.sites) {
                    writer.object { writer in write(domain, to: &writer) }
                }
            })
    }

    /// The nearest known domain of which a name is a subdomain.
    private func above(_ name: String) -> String? {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[dot...].dropFirst()
            if let found = rules[String(rest)], !found.isExact { return String(rest) }
        }
        return nil
    }

    private func write(_ domain: String, to writer: inout JSONWriter) {
        guard let found = rules[domain] else { return }
        writer.member("domain", domain)
        writer.member("rules", found.descriptor)
        writer.member("exact", found.isExact)
        guard let parsed = Self.parsed(found.descriptor), let generator = try? PasswordGenerator(rules: parsed) else {
            return
        }
        writer.member("length", generator.length)
        RulesJSON.write(bits: generator.count.bits, to: &writer)
    }

    /// `"sharing": {"known": 400, "count": 2, "sites": ["a.example", "b.example"]}`: those with the same rules.
    func write(sharing rules: PasswordRules, to writer: inout JSONWriter) {
        let same = sharing[rules.description] ?? []
        writer.member(
            "sharing",
            object: { writer in
                writer.member("known", domains.count)
                writer.member("count", same.count)
                writer.member("sites", Array(same.prefix(PlaygroundLimits.sites)))
            })
    }
}
