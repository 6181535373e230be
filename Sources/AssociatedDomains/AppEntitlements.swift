// SPDX-License-Identifier: Apache-2.0

/// The rights that a registration declares, under Apple's keys.
package struct AppEntitlements: Hashable, Sendable {
    package enum Key: String, CaseIterable, Sendable {
        case associatedDomains = "com.apple.developer.associated-domains"
        case credentialProvider = "com.apple.developer.authentication-services.autofill-credential-provider"
        case keychainAccessGroups = "keychain-access-groups"
        case webBrowser = "com.apple.developer.web-browser"
        case oneTimeCodeSource = "org.autofilld.one-time-code-source"
        case credentialHelper = "org.autofilld.credential-helper"
        case secretService = "org.autofilld.secret-service"

        /// Whether it is valid in a root-owned registration only, since it gives access to what is saved for any site,
        /// or acts for any app.
        package var isAdministrators: Bool {
            self == .webBrowser || self == .credentialHelper || self == .secretService
        }
    }

    /// Entries of each array at most.
    package static let limit = 256

    /// Those of the service `webcredentials`, in the order of the file.
    package let associatedDomains: [AssociatedDomain]
    /// The AutoFill credential provider entitlement: nothing is offered without it.
    package let isCredentialProvider: Bool
    /// As listed; the app's own group is not among them unless it is listed.
    package let keychainAccessGroups: [BundleIdentifier]
    /// It receives one-time codes (by mail, by modem) and may deliver them.
    package let isOneTimeCodeSource: Bool
    /// It is a web browser, and may request the origin of any page.
    package let isWebBrowser: Bool
    /// It stores passwords for programs that name their server themselves (git, docker), by any string or origin.
    package let isCredentialHelper: Bool
    /// It is the bridge of Secret Service, and the daemon determines the app for which it acts.
    package let isSecretService: Bool

    package init(
        associatedDomains: [AssociatedDomain] = [], isCredentialProvider: Bool = false,
        keychainAccessGroups: [BundleIdentifier] = [], isOneTimeCodeSource: Bool = false, isWebBrowser: Bool = false,
        isCredentialHelper: Bool = false, isSecretService: Bool = false
    ) {
        self.associatedDomains = associatedDomains
        self.isCredentialProvider = isCredentialProvider
        self.keychainAccessGroups = keychainAccessGroups
        self.isOneTimeCodeSource = isOneTimeCodeSource
        self.isWebBrowser = isWebBrowser
        self.isCredentialHelper = isCredentialHelper
        self.isSecretService = isSecretService
    }
}

extension AppEntitlements {
    /// Reads the member `entitlements`; errors are added to the findings, and their values count as missing.
    ///
    /// - Parameters:
    ///   - suffixes: domains that are refused; nil where no list is available.
    ///   - onlyGroup: the one access group that the registration may name; nil for root's, which may name any, and
    ///     whose entitlements all count.
    init(
        _ value: ConfigurationValue, at path: ConfigurationPath, refusing suffixes: PublicSuffixList?,
        onlyGroup: BundleIdentifier?, _ findings: inout ConfigurationFindings
    ) {
        let keys = Key.allCases.map(\.rawValue)
        guard let object = ConfigurationObject(value, at: path, knowing: keys, &findings) else {
            self.init()
            return
        }
        func member(_ key: Key) -> (value: ConfigurationValue, path: ConfigurationPath)? {
            object[key.rawValue].map { ($0, object.path[key.rawValue]) }
        }
        func flag(_ key: Key) -> Bool {
            guard let (value, path) = member(key), value.bool(at: path, &findings) == true else { return false }
            if key.isAdministrators, onlyGroup != nil {
                findings.note(
                    path, "It counts in a root-owned registration only.",
                    fix: "Have an administrator install the registration in /etc/autofilld/apps.")
            }
            return true
        }
        self.init(
            associatedDomains: member(.associatedDomains).map {
                Self.domains($0.value, at: $0.path, refusing: suffixes, &findings)
            } ?? [],
            isCredentialProvider: flag(.credentialProvider),
            keychainAccessGroups: member(.keychainAccessGroups).map {
                Self.groups($0.value, at: $0.path, only: onlyGroup, &findings)
            } ?? [],
            isOneTimeCodeSource: flag(.oneTimeCodeSource), isWebBrowser: flag(.webBrowser),
            isCredentialHelper: flag(.credentialHelper), isSecretService: flag(.secretService))
    }

    private static func domains(
        _ value: ConfigurationValue, at path: ConfigurationPath, refusing suffixes: PublicSuffixList?,
        _ findings: inout ConfigurationFindings
    ) -> [AssociatedDomain] {
        var domains: [AssociatedDomain] = []
        for (path, element) in value.elements(atMost: limit, at: path, &findings) {
            guard let text = element.string(at: path, &findings) else { continue }
            do {
                let domain = try AssociatedDomain(text)
                if suffixes?.contains(domain.domain) == true {
                    findings.refuse(path, AssociatedDomainError.publicSuffix(domain.domain))
                } else if domain.isWildcard, suffixes?.containsBelow(domain.domain) == true {
                    findings.refuse(path, AssociatedDomainError.wildcardAboveSuffix(domain.domain))
                } else if domains.contains(domain) {
                    findings.note(path, "\(domain) is listed twice.", fix: "Keep one of them.")
                } else {
                    domains.append(domain)
                }
            } catch .ignoredService(let service) {
                let ignored = AssociatedDomainError.ignoredService(service)
                findings.note(path, ignored.reason, fix: ignored.fix)
            } catch {
                findings.refuse(path, error)
            }
        }
        return domains
    }

    private static func groups(
        _ value: ConfigurationValue, at path: ConfigurationPath, only: BundleIdentifier?,
        _ findings: inout ConfigurationFindings
    ) -> [BundleIdentifier] {
        var groups: [BundleIdentifier] = []
        for (path, element) in value.elements(atMost: limit, at: path, &findings) {
            let group = element.checked(at: path, &findings) { text throws(BundleIdentifierError) in
                try BundleIdentifier(text)
            }
            guard let group else { continue }
            if let only, group != only {
                findings.refuse(
                    path, "Only an administrator's registration can join the access group \(group).",
                    fix: "Remove it, or have an administrator install the registration in /etc/autofilld/apps.")
            } else if groups.contains(group) {
                findings.note(path, "\(group) is listed twice.", fix: "Keep one of them.")
            } else {
                groups.append(group)
            }
        }
        return groups
    }
}
