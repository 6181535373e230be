// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import PeerIdentity
internal import Reasons

/// Takes the app's word and holds it against the evidence.
extension Hello: ServedCall {
    static let capabilities = [
        "strong-passwords", "credentials", "grants", "domains", "diagnose", "one-time-codes", "keychain", "verifiers",
        "sign-in", "settings", "events",
    ]

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
        let bundleID = try Self.claimed(onBehalfOf.bundleID, "onBehalfOf.bundleID")
        let (peer, delegate) = try await modules.apps.peer(handedOverBy: own, speaker, passed)
        let app = try await modules.apps.identify(
            bundleID, isStrict: isStrict, of: peer,
            spokesman: IdentifiedApp.Spokesman(
                delegate: delegate, bundleID: own.bundleID, peer: speaker, evidence: onBehalfOf.evidence))
        return (app, peer)
    }

    private static func claimed(_ name: String, _ member: String) throws(RefusedRequest) -> BundleIdentifier {
        do throws(BundleIdentifierError) {
            return try BundleIdentifier(name, allowingReserved: name == Session.commandLineBundleID)
        } catch {
            throw .invalid(member, "\(error.reason) \(error.fix)")
        }
    }

    private func answer(_ app: IdentifiedApp, _ request: RequestContext, _ modules: Modules) -> Answer {
        let registration = modules.apps.registration(of: request.session)
        // The command line is no app: it has no registration to miss.
        let isApp = app.bundleID.text != Session.commandLineBundleID
        modules.associations.prefetch(registration)
        let facts = modules.authoriser.facts(for: request, site: .unnamed)
        let refusals = isApp ? Examination(of: facts, for: .save).refusals : []
        let identified = try? app.identity.get()
        // Who is not the app learns nothing of its registration.
        let own = identified == nil ? nil : registration
        let verified = VerifiedApp(
            bundleID: app.bundleID.text, assurance: identified?.assurance.rawValue ?? "none",
            grounds: identified?.grounds ?? [], registration: own?.origin.file,
            associatedDomains: own?.entitlements.associatedDomains.map(\.description) ?? [],
            reasons: refusals.map(ReasonReport.init))
        return Answer(
            protocolVersion: min(maximumVersion, Limits.protocolVersions.upperBound),
            daemonVersion: modules.surroundings.version, isEphemeral: modules.surroundings.isEphemeral,
            capabilities: Self.capabilities, app: verified, vault: modules.vault.word,
            settings: modules.settings.appSettings(of: app.bundleID))
    }
}
