// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import PasswordRules

extension PublicSiteData {
    /// Reads the files strictly: all mistakes are reported at once, and then none is used.
    package static func decode(
        _ files: [(file: SiteFile, value: ConfigurationValue)], at path: (SiteFile) -> ConfigurationPath
    ) throws(ConfigurationMistakes) -> PublicSiteData {
        var findings = ConfigurationFindings()
        var rules: [String: Rules] = [:]
        var groups: [Group] = []
        var addresses: [String: String] = [:]
        var codes: Set<String> = []
        for entry in files {
            let entryPath = path(entry.file)
            switch entry.file {
            case .passwordRules:
                for (name, value, path) in members(of: entry.value, at: entryPath, &findings) {
                    rules[name] = readRules(value, at: path, &findings)
                }
            case .sharedCredentials: groups = readGroups(entry.value, at: entryPath, &findings)
            case .changePassword:
                for (name, value, path) in members(of: entry.value, at: entryPath, &findings) {
                    addresses[name] = value.checked(at: path, &findings, SecureAddress.init)?.text
                }
            case .appendedCodes: codes = Set(domains(entry.value, SiteLimits.domains, at: entryPath, &findings))
            }
        }
        return try findings.accept(
            PublicSiteData(rules: rules, groups: groups, changePassword: addresses, appendsCode: codes))
    }

    /// The members of an object whose names are domains.
    private static func members(
        of value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [(String, ConfigurationValue, ConfigurationPath)] {
        guard case .object(let members) = value else {
            value.refuseKind(at: path, wanted: "an object", &findings)
            return []
        }
        guard members.count <= SiteLimits.domains else {
            findings.refuse(
                path, "There are \(members.count) domains.", fix: "Keep it to \(SiteLimits.domains) at most.")
            return []
        }
        var result: [(String, ConfigurationValue, ConfigurationPath)] = []
        for member in members {
            guard let name = domain(.string(member.name), at: path[member.name], &findings) else { continue }
            result.append((name, member.value, path[member.name]))
        }
        return result
    }

    private static func domain(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> String? {
        value.checked(at: path, &findings) { text throws(DomainNameError) in try DomainName(text) }?.text
    }

    private static func domains(
        _ value: ConfigurationValue, _ limit: Int, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [String] {
        var names: [String] = []
        for (path, element) in value.elements(atMost: limit, at: path, &findings) {
            if let name = domain(element, at: path, &findings) { names.append(name) }
        }
        return names
    }

    private static func readRules(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> Rules? {
        let names = ["password-rules", "exact-domain-match-only"]
        guard let object = ConfigurationObject(value, at: path, knowing: names, &findings),
            let descriptor = object.required("password-rules", &findings)?
                .string(at: path["password-rules"], &findings)
        else { return nil }
        let exact = object["exact-domain-match-only"]?.bool(at: path["exact-domain-match-only"], &findings) ?? false
        do throws(PasswordRulesRefusal) {
            let parsed = try PasswordRules.parse(descriptor)
            if parsed.hasErrors {
                let first = parsed.diagnostics.first
                findings.refuse(
                    path["password-rules"], (first?.message ?? "The rules cannot be read") + ".",
                    fix: first?.fix ?? "Write them in Apple's language.")
                return nil
            }
        } catch {
            findings.refuse(path["password-rules"], error.message + ".", fix: error.fix)
            return nil
        }
        return Rules(descriptor: descriptor, isExact: exact)
    }

    private static func readGroups(
        _ value: ConfigurationValue, at path: ConfigurationPath, _ findings: inout ConfigurationFindings
    ) -> [Group] {
        var groups: [Group] = []
        for (path, element) in value.elements(atMost: SiteLimits.groups, at: path, &findings) {
            let names = ["shared", "from", "to", "fromDomainsAreObsoleted"]
            guard let object = ConfigurationObject(element, at: path, knowing: names, &findings) else { continue }
            _ = object["fromDomainsAreObsoleted"]?.bool(at: path["fromDomainsAreObsoleted"], &findings)
            func list(_ name: String) -> [String]? {
                object[name].map { domains($0, SiteLimits.groupDomains, at: path[name], &findings) }
            }
            switch (list("shared"), list("from"), list("to")) {
            case (let shared?, nil, nil): groups.append(Group(from: shared, to: nil))
            case (nil, let from?, let to?): groups.append(Group(from: from, to: to))
            default:
                findings.refuse(
                    path, "A group has either \"shared\", or \"from\" and \"to\".", fix: "Write one of the two.")
            }
        }
        return groups
    }
}

/// An https address of the web, checked as far as needed: shown to the user, never fetched.
struct SecureAddress {
    struct Refused: Explained {
        let reason: String
        let fix = "Write an https address of \(SiteLimits.addressBytes) bytes at most."
    }

    let text: String

    init(_ text: String) throws(Refused) {
        guard text.hasPrefix("https://"), text.utf8.count <= SiteLimits.addressBytes else {
            throw Refused(reason: "This is no https address, or a very long one.")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Refused(reason: "An address has no spaces and no letters beyond ASCII.")
        }
        let host = text.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
        guard (try? DomainName(String(host))) != nil else {
            throw Refused(reason: "The address names no host.")
        }
        self.text = text
    }
}
