// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
package import CredentialStorage
package import Credentials

/// Saved credentials, without their secrets.
///
/// What is saved for a page's whole site: `example.com` and `login.example.com` are one to a browser, and never two names below a
/// public suffix. An app's associated domain is that domain alone.
package struct CredentialReader {
    private let vault: VaultKeeper
    private let apps: AppDirectory

    package init(_ vault: VaultKeeper, _ apps: AppDirectory) { (self.vault, self.apps) = (vault, apps) }

    package typealias Page = VaultPage<CredentialStorage.CredentialSummary, CredentialPosition>

    package var isVaultOpen: Bool { vault.fact == .unlocked }

    package func requireOpenVault() throws(Unsettled) { _ = try vault.unlocked() }

    /// Throws what a request without proof gets where some is needed.
    package func requireProof(_ request: RequestView) throws(Unsettled) {
        if !request.isProven { throw Unsettled(vault.proofRequired(request.method.declaration)) }
    }

    package func password(of user: String, for service: Service) throws(Unsettled) -> Sealed<Credential>? {
        try vault.read { readers throws(VaultError) in try readers.credentials.find(for: service, user: user) }.map(
            Sealed.init(found:))
    }

    /// The same; where there is none, the one that a page's site has. With proof there is no other: a prompt names the service alone.
    package func password(
        of user: String, at service: Service, _ request: RequestView
    ) throws(Unsettled) -> Sealed<Credential>? {
        let exact = try password(of: user, for: service)
        guard exact?.isDeleted ?? true, let site = sharedSite(of: service, request) else { return exact }
        return try vault.read { readers throws(VaultError) in
            try readers.credentials.get(underSite: site, asking: service, user: user)
        }.map(Sealed.init) ?? exact
    }

    /// The service under which a password of a user is kept that is typed or saved at a page: that of the one that its site has,
    /// else the page's.
    package func service(of user: String, at service: Service, _ request: RequestView) throws(Unsettled) -> Service {
        guard sharedSite(of: service, request) != nil,
            let found = try password(of: user, at: service, request), !found.isDeleted, !found.isFor(service)
        else { return service }
        return found.service
    }

    private func sharedSite(of service: Service, _ request: RequestView) -> String? {
        request.isProven ? nil : apps.sharedSite(of: service, request.app)
    }

    /// The passwords of a service, or of a page's site, that are wanted, the last used first; in pages.
    ///
    /// - Parameter kind: nil for all.
    package func passwords(
        of service: Service, kind: Credential.Kind? = .password, after position: CredentialPosition? = nil, limit: Int,
        _ request: RequestView, where isWanted: (ObjectID, UInt64) -> Bool
    ) throws(Unsettled) -> Page {
        let site = sharedSite(of: service, request)
        return try vault.read { readers throws(VaultError) in
            guard let site else {
                return try readers.credentials.page(
                    for: service, kind: kind, after: position, limit: limit, where: isWanted)
            }
            return try readers.credentials.page(
                underSite: site, asking: service, after: position, limit: limit, where: isWanted)
        }
    }

    /// Credentials of all services, by id.
    package func all(
        deleted: Bool, after id: ObjectID?, limit: Int
    ) throws(Unsettled) -> VaultPage<CredentialStorage.CredentialSummary, ObjectID> {
        try vault.read { readers throws(VaultError) in
            deleted
                ? try readers.credentials.deleted(after: id, limit: limit)
                : try readers.credentials.page(after: id, limit: limit)
        }
    }

    /// The passwords of an export, by id. What is used up of a page's bytes counts for those that do not belong to it too.
    package func exported(
        _ export: BegunExport, after id: ObjectID?, limit: Int
    ) throws(Unsettled) -> VaultPage<Sealed<Credential>, ObjectID> {
        let page = try vault.read { readers throws(VaultError) in
            try readers.credentials.whole(after: id, limit: limit) { export.includes($0.services.map(\.service)) }
        }
        return VaultPage(elements: page.elements.map(Sealed.init), next: page.next)
    }

    package func credential(_ id: ObjectID) throws(Unsettled) -> Sealed<Credential>? {
        try vault.read { readers throws(VaultError) in try readers.credentials.get(id) }.map(Sealed.init)
    }

    /// The credential of that id, of any kind, unless it is deleted.
    package func credential(named text: String?) throws(Unsettled) -> Sealed<Credential>? {
        _ = try vault.unlocked()
        guard let id = text.flatMap({ ObjectID($0) }), id.kind == .credential, let found = try credential(id),
            !found.isDeleted
        else { return nil }
        return found
    }

    package func hasFewer(than count: Int, for service: Service) throws(Unsettled) -> Bool {
        try vault.read { readers throws(VaultError) in try readers.credentials.hasFewer(than: count, for: service) }
    }

    /// The version of a credential; nil where it is missing or cannot be read.
    func version(of id: ObjectID) throws(Unsettled) -> UInt64? {
        let open = try vault.unlocked()
        return try? open.readers.credentials.get(id)?.version
    }
}
