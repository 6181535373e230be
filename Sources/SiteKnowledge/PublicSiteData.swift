// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// Public data about sites, of the password-manager-resources project, as far as it is used here. Empty where nothing
/// was imported; everything works without it.
package struct PublicSiteData: Hashable, Sendable {
    /// The rules that a site's passwords must meet.
    package struct Rules: Hashable, Sendable {
        package let descriptor: String
        /// Whether they hold for this very name only, and not for names below it.
        package let isExact: Bool

        package init(descriptor: String, isExact: Bool) {
            self.descriptor = descriptor
            self.isExact = isExact
        }
    }

    /// Domains that share their accounts. Where `to` is nil each shares with each; else what is saved for one of `from`
    /// is also valid at those in `to`, and not the reverse.
    package struct Group: Hashable, Sendable {
        package let from: [String]
        package let to: [String]?

        package init(from: [String], to: [String]?) {
            self.from = from
            self.to = to
        }
    }

    /// By domain.
    package let rules: [String: Rules]
    package let groups: [Group]
    /// Addresses by domain, all https.
    package let changePassword: [String: String]
    package let appendsCode: Set<String>
    /// The groups of a domain, as indices.
    private let groupsOfDomain: [String: [Int]]

    package init(
        rules: [String: Rules] = [:], groups: [Group] = [], changePassword: [String: String] = [:],
        appendsCode: Set<String> = []
    ) {
        self.rules = rules
        self.groups = groups
        self.changePassword = changePassword
        self.appendsCode = appendsCode
        var index: [String: [Int]] = [:]
        for (number, group) in groups.enumerated() {
            for domain in Set(group.from + (group.to ?? [])) { index[domain, default: []].append(number) }
        }
        groupsOfDomain = index
    }

    package var isEmpty: Bool { rules.isEmpty && groups.isEmpty && changePassword.isEmpty && appendsCode.isEmpty }

    /// The rules for passwords of a domain: its own, else those of the nearest name above it that hold below it too.
    package func passwordRules(for domain: DomainName) -> (descriptor: String, of: String)? {
        for name in domain.selfAndAbove {
            if let rule = rules[name], !rule.isExact || name == domain.text { return (rule.descriptor, name) }
        }
        return nil
    }

    /// Where the password of a site is changed.
    package func changePasswordAddress(for domain: DomainName) -> String? {
        domain.selfAndAbove.lazy.compactMap { changePassword[$0] }.first
    }

    /// Whether the site accepts a one-time code directly after the password.
    package func appendsCode(_ domain: DomainName) -> Bool { domain.selfAndAbove.contains(where: appendsCode.contains) }

    /// The other domains whose credentials are valid at this one. Only its exact name counts, with or without `www.`:
    /// the owner of a name below it is unknown.
    package func domainsSharing(with domain: DomainName) -> [String] {
        partners(of: domain) { group, names in
            guard let to = group.to else { return group.from.contains(where: names.contains) ? group.from : [] }
            return to.contains(where: names.contains) ? group.from + to : []
        }
    }

    /// The domains at which a credential of this one holds too, itself not among them.
    package func domainsServed(by domain: DomainName) -> [String] {
        partners(of: domain) { group, names in
            guard let to = group.to else { return group.from.contains(where: names.contains) ? group.from : [] }
            return (group.from + to).contains(where: names.contains) ? to : []
        }
    }

    private func partners(of domain: DomainName, _ others: (Group, Set<String>) -> [String]) -> [String] {
        let bare = domain.text.hasPrefix("www.") ? String(domain.text.dropFirst(4)) : domain.text
        let names: Set = [domain.text, bare, "www." + bare]
        let found = Set(names.flatMap { groupsOfDomain[$0] ?? [] }).flatMap { others(groups[$0], names) }
        return Set(found).subtracting(names).sorted()
    }
}

extension DomainName {
    /// The name, and those above it down to two labels.
    fileprivate var selfAndAbove: [String] {
        var names: [String] = []
        var rest = text[...]
        while rest.contains(".") {
            names.append(String(rest))
            rest = rest[(rest.firstIndex(of: ".") ?? rest.startIndex)...].dropFirst()
        }
        return names
    }
}
