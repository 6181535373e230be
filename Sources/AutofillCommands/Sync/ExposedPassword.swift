// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillClient
import AutofillProtocol
import ConfigurationFiles
import Glibc
import SiteKnowledge

/// A saved password that a removed machine may know.
struct ExposedPassword {
    let credential: String
    let service: String
    let user: String
    let modified: String
    /// The page at which it is changed; nil where there is none.
    let changePassword: String?

    fileprivate init(_ summary: CredentialSummary, _ sites: PublicSiteData) {
        credential = summary.credential
        (service, user, modified) = (summary.service.value, summary.user, summary.modified)
        changePassword = Self.name(of: summary.service).map { name in
            sites.changePasswordAddress(for: name) ?? "https://\(name.text)/.well-known/change-password"
        }
    }

    /// The site, where it is one on the web.
    private static func name(of service: ServiceIdentifier) -> DomainName? {
        switch service.type {
        case "domain": try? DomainName(service.value)
        case "origin": (try? WebOrigin(service.value))?.securedName
        default: nil
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        writer.member("service", service)
        writer.member("user", user)
        writer.member("modified", modified)
        writer.member("changePassword", orNull: changePassword)
    }
}

extension ExposedPassword {
    /// All passwords that are saved now, the one that was changed longest ago first.
    static func all(
        _ session: AutofillSession, with proof: Proof
    ) async throws(CommandFailure) -> [ExposedPassword] {
        let paths = StandardPaths(environment: ProcessEnvironment.current.variables, dataDirectory: nil)
        // Without the public data about sites the page is the standard one.
        let sites = SiteKnowledgeFile(try? paths.siteKnowledge, userID: geteuid()).sites
        return try await session.allCredentials(for: nil, with: proof).filter { $0.kind == "password" }
            .sorted { ($0.modified, $0.credential) < ($1.modified, $1.credential) }
            .map { ExposedPassword($0, sites) }
    }
}
