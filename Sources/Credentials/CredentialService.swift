// SPDX-License-Identifier: Apache-2.0

/// One of the services that a credential is for.
package struct CredentialService: Hashable, Sendable {
    /// Where it may be filled besides the service itself. A value that a later version wrote is kept.
    package struct Match: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// Nowhere.
        package static let exact = Match(rawValue: "exact")
        /// At every host of the same registrable domain.
        package static let site = Match(rawValue: "site")

        /// The default: a site's domains and origins belong together, addresses and keychain services do not.
        package static func usual(for kind: Service.Kind) -> Match {
            kind == .domain || kind == .origin ? .site : .exact
        }
    }

    package let service: Service
    package var match: Match
    /// The fields that a later version wrote.
    package let unknown: [UnknownField]

    package init(_ service: Service, match: Match? = nil, unknown: [UnknownField] = []) {
        self.service = service
        self.match = match ?? .usual(for: service.kind)
        self.unknown = unknown
    }
}
