// SPDX-License-Identifier: Apache-2.0

/// An entry of the associated-domains entitlement, in Apple's form: `webcredentials:example.com`,
/// `webcredentials:*.example.com`, either with `?mode=developer`.
package struct AssociatedDomain: Hashable, Sendable {
    /// Apple's other services: right in an entitlement, without meaning here.
    package static let ignoredServices = ["applinks", "activitycontinuation", "appclips"]
    package static let service = "webcredentials"

    package let domain: DomainName
    /// It covers every name one or more labels below `domain`, and not `domain` itself.
    package let isWildcard: Bool
    /// The site's certificate may be a test authority's.
    package let isDeveloperMode: Bool

    package init(_ text: String) throws(AssociatedDomainError) {
        guard let colon = text.firstIndex(of: ":") else {
            throw .missingService(suggestion: try? AssociatedDomain("\(Self.service):\(text)").description)
        }
        let service = String(text[..<colon])
        guard service == Self.service else {
            if Self.ignoredServices.contains(service) { throw .ignoredService(service) }
            throw .unknownService(service)
        }
        var name = text[text.index(after: colon)...]
        isDeveloperMode = try Self.removeMode(from: &name)
        isWildcard = name.hasPrefix("*.")
        do {
            domain = try DomainName(String(isWildcard ? name.dropFirst(2) : name))
        } catch .singleLabel where isWildcard {
            throw .wildcardTooWide
        } catch {
            throw .domain(error)
        }
    }

    package func covers(_ name: DomainName) -> Bool {
        isWildcard ? name.isBelow(domain) : name == domain
    }

    /// Removes `?mode=developer` from the end, if present.
    private static func removeMode(from name: inout Substring) throws(AssociatedDomainError) -> Bool {
        guard let mark = name.firstIndex(of: "?") else { return false }
        let query = name[mark...]
        guard query == "?mode=developer" else { throw .unknownMode(String(query)) }
        name = name[..<mark]
        return true
    }
}

extension AssociatedDomain: CustomStringConvertible {
    package var description: String {
        "\(Self.service):\(isWildcard ? "*." : "")\(domain)\(isDeveloperMode ? "?mode=developer" : "")"
    }
}

/// Why a text is no associated domain.
package enum AssociatedDomainError: Explained, Hashable {
    /// The suggestion is the entry with the service before it, where that makes it right.
    case missingService(suggestion: String?)
    /// One of Apple's other services: to be noted, not refused.
    case ignoredService(String)
    case unknownService(String)
    case wildcardTooWide
    case publicSuffix(DomainName)
    case wildcardAboveSuffix(DomainName)
    case unknownMode(String)
    case domain(DomainNameError)

    package var reason: String {
        switch self {
        case .missingService: "The entry names no service."
        case .ignoredService(let service): "The service \(service.quoted) has no meaning here; the entry is ignored."
        case .unknownService(let service): "There is no service \(service.quoted)."
        case .wildcardTooWide: "The wildcard covers a whole top-level domain."
        case .publicSuffix(let domain): "Anybody can have a name below \(domain), which is a public suffix."
        case .wildcardAboveSuffix(let domain):
            "The wildcard covers public suffixes below \(domain), where anybody can have a name."
        case .unknownMode(let mode): "\(mode.quoted) is not a supported mode."
        case .domain(let error): error.reason
        }
    }

    package var fix: String {
        switch self {
        case .missingService(.some(let suggestion)): "Write \(suggestion)."
        case .missingService(.none), .unknownService: "Write webcredentials:, then the domain."
        case .ignoredService: "It may stay or go; passwords need an entry of webcredentials."
        case .wildcardTooWide: "Put at least two labels after the asterisk: *.example.com."
        case .publicSuffix(let domain): "Name the site itself, such as example.\(domain)."
        case .wildcardAboveSuffix: "Name each site itself, without an asterisk."
        case .unknownMode: "Write ?mode=developer, or nothing after the domain."
        case .domain(let error): error.fix
        }
    }
}
