// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// Allows an app what is saved for a service: one grant for each executable that its registration names. Where it
/// names none, any program of the user that claims to be this app is covered; of an app without a registration, only what runs in
/// its sandbox.
extension GrantAllow: JudgedCall {
    typealias Area = GrantMethods

    struct Decision: Sendable {
        let app: String
        let service: Credentials.Service
        /// The subjects to be allowed.
        let subjects: [Subject]
        /// The user's decisions about this app and service so far.
        let grants: [Grant]
    }

    func promptText(_ views: GrantViews) -> String? {
        let grantee =
            switch grantee {
            case .app(let bundleID): "app \(shown(bundleID))"
            case .program(let path): "program \(shown(path))"
            }
        if target == .keychain(.own) { return "let the \(grantee) read all secrets that it has saved itself" }
        return "let the \(grantee) \(target.granted) \(shown(target.text))"
    }

    func judge(_ views: GrantViews, _ request: RequestView) throws(Unsettled) -> Decision {
        switch grantee {
        case .program(let path):
            let programs = try request.grantedPrograms(.ofSecretService(path))
            guard let items = target.secrets else {
                throw .invalid("keychain", "what is saved through Secret Service, for a program")
            }
            return try allow(programs.app, items.service(of: programs.app), programs.executables, views)
        case .app(let name): return try judge(name, views, request)
        }
    }

    private func judge(_ name: String, _ views: GrantViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let bundleID = try bundleID(name, allowingMade: target.secrets != nil)
        try request.requireReadFiles()
        if let items = target.secrets {
            // Nothing but a sandbox shows a name that no registration has, through an installed bridge: what a program outside calls
            // itself is its own claim.
            let isMade = BundleIdentifier.isOfSecretService(bundleID.text)
            let isRegistered = isMade || views.apps.registration(named: bundleID) != nil
            return try allow(
                bundleID.text, items.service(of: bundleID.text), [""],
                at: isRegistered ? .claimed : .installed, views)
        }
        guard let registration = views.apps.registration(named: bundleID) else {
            throw Unsettled(.appNotRegistered, [.app: bundleID.text])
        }
        let service = try views.grantable(target, registration, request)
        let programs = try request.grantedPrograms(.registered(bundleID))
        return try allow(bundleID.text, service, programs.executables, views)
    }

    private func allow(
        _ app: String, _ service: Credentials.Service, _ executables: [String], at assurance: Assurance = .claimed,
        _ views: GrantViews
    ) throws(Unsettled) -> Decision {
        Decision(
            app: app, service: service,
            subjects: executables.map { Subject(app: app, assurance: assurance.rawValue, executable: $0) },
            grants: try views.grants.grants(app: app, service: service))
    }

    func act(on decision: Decision, _ grants: GrantWriter) throws(Refusal) -> Answer {
        var allowed: [Grant] = []
        var isChanged = false
        for subject in decision.subjects {
            if let same = decision.grants.first(where: { $0.subject == subject && $0.decision == .allow }) {
                allowed.append(same)
            } else {
                allowed.append(try grants.put(.allow, for: subject, decision.service))
                isChanged = true
            }
        }
        // A remembered denial is replaced by the user's new decision.
        let ids = Set(allowed.map(\.id))
        for denial in decision.grants where denial.decision == .deny && !ids.contains(denial.id) {
            isChanged = try grants.revoke(denial.id) || isChanged
        }
        grants.forgetDenials(of: decision.app)
        grants.noteChange()
        return Answer(grants: allowed.map(GrantReport.init), changed: isChanged)
    }
}
