// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// One of the services that a credential is for.
public struct CredentialService: Hashable, Sendable {
    /// The service.
    public let identifier: CredentialServiceIdentifier
    /// nil for the default: ``Match/site`` for domains and origins.
    public let match: Match?

    /// - Parameters:
    ///   - identifier: the service.
    ///   - match: where it is filled besides its service; nil for the default.
    public init(_ identifier: CredentialServiceIdentifier, match: Match? = nil) {
        self.identifier = identifier
        self.match = match
    }

    init(_ service: SavedService) {
        self.init(CredentialServiceIdentifier(service.service), match: service.match.map(Match.init))
    }

    var wire: SavedService { SavedService(ServiceIdentifier(identifier), match: match?.rawValue) }
}

extension SavedCredential {
    /// The site that it was saved for.
    public var service: CredentialServiceIdentifier { services[0].identifier }

    /// The services of a credential.
    ///
    /// - Throws: ``AutofillError/answerNotUnderstood(_:)`` if it has none.
    static func services(_ summary: CredentialSummary) throws(AutofillError) -> [CredentialService] {
        guard !summary.services.isEmpty else { throw .answerNotUnderstood("a credential without a service") }
        return summary.services.map(CredentialService.init)
    }
}
