// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import PeerIdentity
internal import Reasons

/// Takes the app's word and holds it against the evidence.
extension Hello: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        guard request.session.app == nil else { throw .malformed(ProtocolProblem(.helloRepeated)) }
        let versions = Limits.protocolVersions
        guard minimumVersion <= versions.upperBound, maximumVersion >= versions.lowerBound,
            minimumVersion <= maximumVersion
        else { throw .malformed(ProtocolProblem(.protocolUnsupported, member: "protocol")) }
        let session = request.session
        let passed = session.arriving.passed
        session.arriving.passed = nil
        try request.willWait()
        let own = try await modules.apps.identify(
            try Self.claimed(bundleID, "bundleID"), isStrict: isStrict, of: session.peer)
        var (app, peer) = (own, session.peer)
        if let onBehalfOf {
            guard let passed else { throw .invalid("onBehalfOf", "a pidfd that comes with the line (SCM_RIGHTS)") }
            (app, peer) = try await spokenFor(onBehalfOf, passed, by: own, session.peer, modules)
        }
        guard session.app == nil else { throw .malformed(ProtocolProblem(.helloRepeated)) }
        (session.app, session.peer) = (app, peer)
        return answer(app, request, modules)
    }

    /// The app that a delegate speaks for: from now on the connection is that app's.
    private func spokenFor(
        _ onBehalfOf: OnBehalfOf, _ passed: PassedDescriptor, by own: IdentifiedApp, _ speaker: Peer,
        _ modules: Modules
    ) async throws(RefusedRequest) -> (IdentifiedApp, Peer) {
        let bundleID: BundleIdentifier? =
            if let name = onBehalfOf.bundleID { try Self.claimed(name, "onBehalfOf.bundleID") } else { nil }
        if bundleID == nil, !modules.apps.isSecretService(own) {
            throw .malformed(
                ProtocolProblem(.parameterMissing, member: "onBehalfOf.bundleID", detail: "the bundle ID of that app"))
        }
        let (peer, delegate) = try await modules.apps.peer(handedOverBy: own, speaker, passed)
        let spokesman = IdentifiedApp.Spokesman(
            delegate: delegate, bundleID: own.bundleID, peer: speaker, evidence: onBehalfOf.evidence)
        let app =
            if let bundleID {
                try await modules.apps.identify(bundleID, isStrict: isStrict, of: peer, spokesman: spokesman)
            } else {
                try await modules.apps.identify(peer, isStrict: isStrict, spokesman: spokesman)
            }
        return (app, peer)
    }

    private static func claimed(_ name: String, _ member: String) throws(RefusedRequest) -> BundleIdentifier {
        do throws(BundleIdentifierError) {
            return try BundleIdentifier(name, allowingReserved: name == Session.commandLineBundleID)
        } catch {
            throw .invalid(member, because: error.reason, fix: error.fix)
        }
    }

    private func answer(_ app: IdentifiedApp, _ request: RequestContext, _ modules: Modules) -> Answer {
        let registration = modules.apps.registration(of: request.session)
        // The command line is no app: it has no registration to miss.
        let isApp = app.bundleID.text != Session.commandLineBundleID
        modules.associations.prefetch(registration)
        let identified = try? app.identity.get()
        // Who is not the app learns that, and nothing of the app's registration, of settings or the vault.
        let own = identified == nil ? nil : registration
        let wide = identified == nil ? nil : modules.apps.wideRegistration(of: request.session)
        let facts = modules.authoriser.facts(for: request, site: modules.apps.unnamedSite(request.session))
        let names = Examination(of: facts, for: app.named == nil ? .save : .keychainItem).refusals.map(\.reason)
            .filter { identified != nil || $0 == .identityMismatch }
        let verified = VerifiedApp(
            bundleID: app.bundleID.text, assurance: identified?.assurance.rawValue ?? "none",
            registration: app.named == nil ? own?.origin.file : nil,
            associatedDomainCount: own?.entitlements.associatedDomains.count ?? 0,
            reasonNames: isApp ? names.map(\.rawValue) : [])
        return Answer(
            protocolVersion: min(maximumVersion, Limits.protocolVersions.upperBound),
            daemonVersion: modules.surroundings.version, isEphemeral: modules.surroundings.isEphemeral,
            capabilities: Self.capabilities(facts, own, wide, isNamed: app.named != nil), app: verified,
            vault: identified == nil ? nil : modules.vault.word,
            settings: identified == nil ? nil : modules.settings.appSettings(of: app.bundleID))
    }

    /// What the app may do once the vault is open; the person is still asked where that is needed.
    ///
    /// - Parameter wide: the registration by which it may ask for services that are no associated domains.
    private static func capabilities(
        _ facts: AutofillFacts, _ registration: Registration?, _ wide: Registration?, isNamed: Bool
    ) -> [String] {
        func may(_ purpose: Examination.Purpose) -> Bool {
            Examination(of: facts, for: purpose).findings.allSatisfy { $0.condition == .vault || $0.refusal == nil }
        }
        guard registration != nil || wide != nil else { return [] }
        var capabilities: [String] = []
        if may(.strongPassword) { capabilities.append("strong-passwords") }
        if may(.save) { capabilities += ["credentials", "one-time-codes"] }
        if may(.save), let wide {
            capabilities += wide.entitlements.isCredentialHelper ? ["urls", "origins"] : ["origins"]
        }
        guard let registration else { return capabilities }
        if may(.codeSource), registration.entitlements.isOneTimeCodeSource { capabilities.append("code-source") }
        if may(.keychainItem) { capabilities += isNamed ? ["keychain"] : ["keychain", "verifiers", "sign-in"] }
        return capabilities
    }
}
