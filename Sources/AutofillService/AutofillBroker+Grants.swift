// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import SecretMemory

/// The person's remembered word, made by command.
extension AutofillBroker {
    /// Allows an app what is saved for a service: one grant for each executable that its registration names. Where it
    /// names none, any program of the user that says it is this app is covered.
    func allow(_ call: GrantAllow, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> GrantAllow.Answer {
        guard isProven else { throw RefusedRequest(.proofRequired) }
        let bundleID: BundleIdentifier
        do throws(BundleIdentifierError) {
            bundleID = try BundleIdentifier(call.bundleID)
        } catch {
            throw .invalid("bundleID", "\(error.reason) \(error.fix)")
        }
        reloadRegistrations()
        guard let registration = registration(named: bundleID) else {
            throw RefusedRequest(.appNotRegistered, [.app: bundleID.text])
        }
        let service = try grantable(call.service, registration)
        let open = try vault.unlocked()
        var reports: [GrantReport] = []
        var isChanged = false
        let known = try attempting { () throws(VaultError) in try open.grants(app: bundleID.text, service: service) }
        for executable in try subjects(of: registration, client.peer) {
            let subject = Subject(
                app: bundleID.text, assurance: Assurance.claimed.rawValue, executable: executable)
            if let same = known.first(where: { $0.subject == subject && $0.decision == .allow }) {
                reports.append(GrantReport(same))
                continue
            }
            let grant = Grant(
                id: .random(.grant, using: &entropy), subject: subject, service: service, decision: .allow,
                created: now, origin: "command")
            reports.append(GrantReport(try attempting { () throws(VaultError) in try open.put(grant) }))
            isChanged = true
        }
        // A denial that was remembered gives way to the person's new word.
        let made = Set(reports.map(\.grant))
        for denial in known where denial.decision == .deny && !made.contains(denial.id.description) {
            isChanged = try attempting { () throws(VaultError) in try open.revoke(denial.id) } || isChanged
        }
        forgetDenials(of: bundleID.text, service)
        generation += 1
        return GrantAllow.Answer(grants: reports, changed: isChanged)
    }

    /// What a grant can be for: a domain among the app's own or that shares its accounts with one of these, or
    /// `GROUP/SERVICE` of the type `keychain` in one of its access groups.
    private func grantable(
        _ service: ServiceIdentifier, _ registration: Registration
    ) throws(RefusedRequest) -> Service {
        let app = registration.bundleID.text
        guard service.type == Service.Kind.keychain.rawValue else {
            let service = try domain(service)
            guard let name = try? DomainName(service.value),
                registration.answers(for: name) != nil || !partners(of: service, in: registration).isEmpty
            else {
                throw RefusedRequest(.domainNotAssociated, [.app: app, .domain: service.value])
            }
            return service
        }
        guard let slash = service.value.firstIndex(of: "/"), service.value.index(after: slash) != service.value.endIndex
        else { throw .invalid("service.value", "GROUP/SERVICE") }
        let group = service.value[..<slash]
        guard registration.accessGroups.contains(where: { $0.text.utf8.elementsEqual(group.utf8) }) else {
            throw RefusedRequest(.accessGroupNotEntitled, [.app: app, .group: String(group)])
        }
        return Service(kind: .keychain, value: service.value)
    }

    /// What stands for each executable that the registration names: a root-owned one by its path, the user's by path and
    /// content. A script or an AppImage runs as another program, which the person's word then covers: any.
    private func subjects(of registration: Registration, _ peer: Peer) throws(RefusedRequest) -> [String] {
        // What runs of a Flatpak is its own, whatever it is called inside.
        if let flatpak = connectedFlatpak(registration.bundleID), let subject = flatpak.subject,
            registration == (try? flatpak.deployed?.get())
        {
            return [subject.executable]
        }
        var subjects: Set<String> = []
        for executable in peer.registered(registration.executables.map(\.text)) where executable.identity != nil {
            if executable.isScript || executable.isAppImage {
                subjects.insert("")
            } else {
                let subject: GrantSubject = executable.isRootOwned ? .path(executable.path) : .file(executable.path)
                let hash = subject.needsContentHash ? try contentHash(of: executable, peer) : nil
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

    /// The content of a file that a registration names; where nobody has read it yet the request waits for that. Nil when
    /// it cannot be read.
    private func contentHash(
        of executable: RegisteredExecutable, _ peer: Peer
    ) throws(RefusedRequest) -> String? {
        guard let version = executable.version else { return nil }
        switch peer.hashOfFile(version) {
        case .known(let hash): return hash
        case .unreadable: return nil
        case .unread: throw .waits(on: .contentHash(path: executable.path, version))
        }
    }

    /// Denies an app what is saved for a service, whatever program says that it is this app; what was allowed is taken
    /// back.
    func deny(_ call: GrantDeny, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> GrantDeny.Answer {
        let service =
            call.service.type == Service.Kind.keychain.rawValue
            ? Service(kind: .keychain, value: call.service.value) : try domain(call.service)
        guard let bundleID = try? BundleIdentifier(call.bundleID) else { throw .invalid("bundleID", "a bundle ID") }
        let open = try vault.unlocked()
        let subject = Subject(app: bundleID.text, assurance: Assurance.claimed.rawValue, executable: "")
        let known = try attempting { () throws(VaultError) in try open.grants(app: bundleID.text, service: service) }
        generation += 1
        for grant in known where grant.decision == .allow && grant.subject != subject {
            _ = try attempting { () throws(VaultError) in try open.revoke(grant.id) }
        }
        if let same = known.first(where: { $0.subject == subject && $0.decision == .deny }) {
            let isOnly = !known.contains { $0.decision == .allow }
            return GrantDeny.Answer(grant: GrantReport(same), changed: !isOnly)
        }
        let denial = Grant(
            id: .random(.grant, using: &entropy), subject: subject, service: service, decision: .deny, created: now,
            origin: "command")
        let kept = try attempting { () throws(VaultError) in try open.put(denial) }
        return GrantDeny.Answer(grant: GrantReport(kept), changed: true)
    }

    /// What the person said to a prompt no longer counts: they have said something else since.
    func forgetDenials(of app: String, _ service: Service) {
        denials.forget { question in
            guard case .consent(let allowance, let subject) = question else { return false }
            return subject.app == app && allowance.service == service
        }
    }

    func listGrants(_ call: GrantList, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> GrantList.Answer {
        let open = try vault.unlocked()
        let after = try cursor(call.page.cursor)
        let page = try attempting { () throws(VaultError) in
            try open.grants(after: after, limit: call.page.limit)
        }
        return GrantList.Answer(grants: page.elements.map(GrantReport.init), next: page.next?.description)
    }

    func revoke(_ call: GrantRevoke, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        let open = try vault.unlocked()
        guard let id = ObjectID(call.grant), id.kind == .grant else {
            throw .invalid("grant", "the id of a grant, from grant.list")
        }
        generation += 1
        return Changed(try attempting { () throws(VaultError) in try open.revoke(id) })
    }
}

extension GrantReport {
    init(_ grant: Grant) {
        self.init(
            grant: grant.id.description, bundleID: grant.subject.app, assurance: grant.subject.assurance,
            executable: grant.subject.executable,
            service: ServiceIdentifier(type: grant.service.kind.rawValue, value: grant.service.value),
            decision: grant.decision.rawValue, created: grant.created.description)
    }
}
