// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `grant.*`.
struct GrantMethods: MethodArea {
    let views: GrantViews
    private let vault: VaultKeeper
    private let consents: ConsentRecorder
    private let sessions: SessionList

    init(
        _ apps: AppDirectory, _ sites: Sites, _ vault: VaultKeeper, _ consents: ConsentRecorder,
        _ sessions: SessionList
    ) {
        views = GrantViews(grants: consents.records, apps: apps, sites: sites)
        self.vault = vault
        self.consents = consents
        self.sessions = sessions
    }

    func effects(for request: RequestContext) -> GrantWriter { GrantWriter(vault, consents, sessions) }
}

struct GrantViews {
    let grants: GrantRecords
    let apps: AppDirectory
    let sites: Sites
}

/// - Parameter allowingMade: whether it may be a name that the daemon makes.
func bundleID(_ name: String, allowingMade: Bool = false) throws(Unsettled) -> BundleIdentifier {
    do throws(BundleIdentifierError) {
        return try BundleIdentifier(name, allowingReserved: allowingMade && BundleIdentifier.isOfSecretService(name))
    } catch {
        throw .invalid("bundleID", because: error.reason, fix: error.fix)
    }
}

extension GrantViews {
    /// What a grant can be for: a domain among the app's own or that shares its accounts with one of these, or keychain items in one
    /// of its access groups.
    func grantable(
        _ target: GrantTarget, _ registration: Registration, _ request: RequestView
    ) throws(Unsettled) -> Service {
        let app = registration.bundleID.text
        switch target {
        case .service(let service): return try grantable(service, registration, request)
        case .keychain(let items):
            let service = try items.service(of: app)
            guard let group = items.accessGroup,
                registration.accessGroups.contains(where: { $0.text.utf8.elementsEqual(group.utf8) })
            else {
                throw Unsettled(.accessGroupNotEntitled, [.app: app, .group: items.accessGroup ?? ""])
            }
            return service
        }
    }

    private func grantable(
        _ service: ServiceIdentifier, _ registration: Registration, _ request: RequestView
    ) throws(Unsettled) -> Service {
        let app = registration.bundleID.text
        let service = try sites.service(service, request)
        if apps.mayAskForAny(registration), let site = try anySite(service, registration) { return site }
        guard service.kind == .domain else {
            let missing = service.kind == .url ? Reason.helperEntitlementMissing : .browserEntitlementMissing
            throw Unsettled(missing, [.app: app])
        }
        guard let name = try? DomainName(service.value),
            registration.answers(for: name) != nil || !apps.partners(of: service, in: registration).isEmpty
        else {
            throw Unsettled(.domainNotAssociated, [.app: app, .domain: service.value])
        }
        return service
    }

    /// What can be denied to an app, whether it is registered or not.
    func deniable(
        _ target: GrantTarget, to app: BundleIdentifier, _ request: RequestView
    ) throws(Unsettled) -> Service {
        let named: ServiceIdentifier
        switch target {
        case .keychain(let items): return try items.service(of: app.text)
        case .service(let service): named = service
        }
        let service = try sites.service(named, request)
        if let registration = apps.registration(named: app), apps.mayAskForAny(registration) {
            return try anySite(service, registration) ?? service
        }
        return named.type == Service.Kind.origin.rawValue
            ? apps.registrableDomain(of: service).map { Service(kind: .domain, value: $0) } ?? service : service
    }

    /// What the user's consent is for where an app may ask for any service: of a page its site. nil for an associated domain of its
    /// own.
    private func anySite(_ service: Service, _ registration: Registration) throws(Unsettled) -> Service? {
        if service.kind == .url, !registration.entitlements.isCredentialHelper {
            throw Unsettled(.helperEntitlementMissing, [.app: registration.bundleID.text])
        }
        if let name = try? DomainName(service.value), registration.answers(for: name) != nil { return nil }
        return apps.registrableDomain(of: service).map { Service(kind: .domain, value: $0) } ?? service
    }
}

extension Service.Kind {
    /// What a grant lets an app do, as a prompt shows it before the service's name.
    var granted: String { self == .keychain ? "read what is saved in the keychain under" : "fill what is saved for" }
}

extension GrantReport {
    init(_ grant: Grant) {
        self.init(
            grant: grant.id.description, bundleID: grant.subject.app, assurance: grant.subject.assurance,
            executable: grant.subject.executable, target: GrantTarget(grant.service),
            decision: grant.decision.rawValue, created: grant.created.description)
    }
}
