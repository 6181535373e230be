// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// Allows an app what is saved for a service: one grant for each executable that its registration names. Where it
/// names none, any program of the user that says it is this app is covered; of an app without a registration, only what runs in its
/// sandbox.
extension GrantAllow: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        let who =
            switch grantee {
            case .app(let bundleID): "app \(shown(bundleID))"
            case .program(let path): "program \(shown(path))"
            }
        return "let the \(who) \(Credentials.Service.Kind(rawValue: service.type).granted) \(shown(service.value))"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        if case .program(let path) = grantee {
            let (app, executables) = try await modules.secretServiceSubjects(ofProgram: path, request)
            let service = try modules.grantableSecret(service)
            return try await modules.decide(request) { () throws(RefusedRequest) in
                try allow(app, at: .claimed, service, executables, modules)
            }
        }
        let bundleID = try modules.bundleID(bundleID, allowingMade: service.isOfSecretService)
        try request.willWait()
        await modules.apps.look()
        if service.isOfSecretService {
            let service = try modules.grantableSecret(service)
            // Nobody but a sandbox shows a name that no registration has, through an installed bridge: what a program outside calls
            // itself is its own word.
            let isMade = BundleIdentifier.isOfSecretService(bundleID.text)
            let isKnown = isMade || modules.apps.registration(named: bundleID) != nil
            return try await modules.decide(request) { () throws(RefusedRequest) in
                try allow(bundleID.text, at: isKnown ? .claimed : .installed, service, [""], modules)
            }
        }
        guard let registration = modules.apps.registration(named: bundleID) else {
            throw RefusedRequest(.appNotRegistered, [.app: bundleID.text])
        }
        let service = try modules.grantable(service, registration, request)
        let executables = try await modules.grantSubjects(of: registration)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            try allow(bundleID.text, at: .claimed, service, executables, modules)
        }
    }

    private var bundleID: String { if case .app(let bundleID) = grantee { bundleID } else { "" } }

    private func allow(
        _ app: String, at assurance: Assurance, _ service: Credentials.Service, _ executables: [String],
        _ modules: Modules
    ) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        var entropy = modules.surroundings.entropy
        var reports: [GrantReport] = []
        var isChanged = false
        let known = try attempting { () throws(VaultError) in try open.readers.grants.all(app: app, service: service) }
        for executable in executables {
            let subject = Subject(app: app, assurance: assurance.rawValue, executable: executable)
            if let same = known.first(where: { $0.subject == subject && $0.decision == .allow }) {
                reports.append(GrantReport(same))
                continue
            }
            let grant = Grant(
                id: .random(.grant, using: &entropy), subject: subject, service: service, decision: .allow,
                created: modules.clock.now, origin: "command")
            reports.append(GrantReport(try attempting { () throws(VaultError) in try open.writers.grants.put(grant) }))
            isChanged = true
        }
        // A denial that was remembered gives way to the person's new word.
        let made = Set(reports.map(\.grant))
        for denial in known where denial.decision == .deny && !made.contains(denial.id.description) {
            isChanged =
                try attempting { () throws(VaultError) in try open.writers.grants.revoke(denial.id) } || isChanged
        }
        modules.forgetDenials(of: app)
        modules.surroundings.revision.advance()
        return Answer(grants: reports, changed: isChanged)
    }
}

extension Credentials.Service.Kind {
    /// What a grant lets an app do, as a prompt says it before the service's name.
    var granted: String { self == .keychain ? "read what is saved in the keychain under" : "fill what is saved for" }
}
