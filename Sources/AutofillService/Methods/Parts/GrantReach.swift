// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// The person's remembered word, made by command.
extension Modules {
    /// - Parameter allowingMade: whether it may be a name that the daemon makes.
    func bundleID(
        _ name: String, member: String = "bundleID", allowingMade: Bool = false
    ) throws(RefusedRequest) -> BundleIdentifier {
        do throws(BundleIdentifierError) {
            return try BundleIdentifier(
                name, allowingReserved: allowingMade && BundleIdentifier.isOfSecretService(name))
        } catch {
            throw .invalid(member, because: error.reason, fix: error.fix)
        }
    }

    /// What a grant can be for: a domain among the app's own or that shares its accounts with one of these, or
    /// `GROUP/SERVICE` of the type `keychain` in one of its access groups.
    func grantable(
        _ service: ServiceIdentifier, _ registration: Registration, _ request: RequestContext
    ) throws(RefusedRequest) -> Service {
        let app = registration.bundleID.text
        guard service.type == Service.Kind.keychain.rawValue else {
            let service = try apps.service(service, request)
            if apps.mayAskForAny(registration), let site = try anySite(service, registration) { return site }
            guard service.kind == .domain else {
                let missing = service.kind == .url ? Reason.helperEntitlementMissing : .browserEntitlementMissing
                throw RefusedRequest(missing, [.app: app])
            }
            guard let name = try? DomainName(service.value),
                registration.answers(for: name) != nil || !apps.partners(of: service, in: registration).isEmpty
            else {
                throw RefusedRequest(.domainNotAssociated, [.app: app, .domain: service.value])
            }
            return service
        }
        let place = try keychainPlace(service)
        guard registration.accessGroups.contains(where: { $0.text.utf8.elementsEqual(place.group.utf8) }) else {
            throw RefusedRequest(.accessGroupNotEntitled, [.app: app, .group: place.group])
        }
        return place.granted
    }

    /// What can be denied to an app, whether it is registered or not.
    func deniable(
        _ service: ServiceIdentifier, to app: BundleIdentifier, _ request: RequestContext
    ) throws(RefusedRequest) -> Service {
        if service.type == Service.Kind.keychain.rawValue { return try keychainPlace(service).granted }
        let isPage = service.type == Service.Kind.origin.rawValue
        let service = try apps.service(service, request)
        if let registration = apps.registration(named: app), apps.mayAskForAny(registration) {
            return try anySite(service, registration) ?? service
        }
        return isPage
            ? apps.registrableDomain(of: service).map { Service(kind: .domain, value: $0) } ?? service : service
    }

    /// What the person's word is for where an app may ask for any service: of a page its site. nil for an associated domain of its own.
    private func anySite(_ service: Service, _ registration: Registration) throws(RefusedRequest) -> Service? {
        if service.kind == .url, !registration.entitlements.isCredentialHelper {
            throw RefusedRequest(.helperEntitlementMissing, [.app: registration.bundleID.text])
        }
        if let name = try? DomainName(service.value), registration.answers(for: name) != nil { return nil }
        return apps.registrableDomain(of: service).map { Service(kind: .domain, value: $0) } ?? service
    }

    /// What a service of the type `keychain` names: `GROUP/SERVICE`.
    func keychainPlace(_ service: ServiceIdentifier) throws(RefusedRequest) -> KeychainPlace {
        let parts = service.value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isOfSecretService = parts[0] == Item.secretServiceGroup
        guard parts.count == 2,
            let group = try? BundleIdentifier(String(parts[0]), allowingReserved: isOfSecretService),
            !parts[1].isEmpty,
            parts[1].utf8.count <= Limits.itemNameBytes
        else { throw .invalid("service.value", "GROUP/SERVICE") }
        return KeychainPlace(group: group.text, service: String(parts[1]))
    }

    /// What stands for each executable that the registration names: a root-owned one by its path, the user's by path and
    /// content. A script or an AppImage runs as another program, which the person's word then covers: any.
    func grantSubjects(of registration: Registration) async throws(RefusedRequest) -> [String] {
        // What runs of a Flatpak is its own, whatever it is called inside.
        if let flatpak = apps.connectedFlatpak(registration.bundleID), flatpak.spokesman == nil,
            let subject = flatpak.subject, registration == (try? flatpak.deployed?.get())
        {
            return [subject.executable]
        }
        var subjects: Set<String> = []
        for executable in try await apps.executables(of: registration) where executable.identity != nil {
            if executable.isScript || executable.isAppImage {
                subjects.insert("")
            } else {
                let subject: GrantSubject = executable.isRootOwned ? .path(executable.target) : .file(executable.target)
                let hash = subject.needsContentHash ? try await apps.contentHash(of: executable) : nil
                if let line = subject.line(contentHash: hash) { subjects.insert(line) }
            }
        }
        if registration.executables.isEmpty { subjects.insert("") }
        // A grant that names none of the executables would be wider than the registration.
        guard !subjects.isEmpty else {
            throw RefusedRequest(
                .appNotInstalled, [.app: registration.bundleID.text, .path: registration.origin.file])
        }
        return subjects.sorted()
    }

    /// What the person said to a prompt no longer counts: they have said something else since.
    func forgetDenials(of app: String) {
        authoriser.prompts.denials.forget { question in
            guard case .consent(_, let subject) = question else { return false }
            return subject.app == app
        }
    }
}

extension GrantReport {
    init(_ grant: Grant) {
        self.init(
            grant: grant.id.description, bundleID: grant.subject.app, assurance: grant.subject.assurance,
            executable: grant.subject.executable, service: ServiceIdentifier(grant.service),
            decision: grant.decision.rawValue, created: grant.created.description)
    }
}
