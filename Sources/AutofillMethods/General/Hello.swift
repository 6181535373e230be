// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// Compares the app's claim with the evidence.
extension Hello: AsyncCall {
    func perform(_ area: SessionMethods, _ request: RequestContext) async throws(RefusedRequest) -> Answer {
        let greeting = Greeting(request, area.apps, area.associations)
        guard !greeting.isRepeated else { throw .malformed(ProtocolProblem(.helloRepeated)) }
        let versions = Limits.protocolVersions
        guard minimumVersion <= versions.upperBound, maximumVersion >= versions.lowerBound,
            minimumVersion <= maximumVersion
        else { throw .malformed(ProtocolProblem(.protocolUnsupported, member: "protocol")) }
        let passed = greeting.takePassed()
        try request.willWait()
        let own = try await greeting.identify(try Self.claimed(bundleID, "bundleID"), isStrict: isStrict)
        if let onBehalfOf {
            guard let passed else { throw .invalid("onBehalfOf", "a pidfd that comes with the line (SCM_RIGHTS)") }
            let name = onBehalfOf.bundleID
            let actsFor: BundleIdentifier? =
                if let name { try Self.claimed(name, "onBehalfOf.bundleID") } else { nil }
            try await greeting.begin(
                own, onBehalfOf: actsFor, passed, evidence: onBehalfOf.evidence, isShared: onBehalfOf.isShared)
        } else {
            try greeting.begin(own)
        }
        return answer(area.views, request.view)
    }

    private static func claimed(_ name: String, _ member: String) throws(RefusedRequest) -> BundleIdentifier {
        do throws(BundleIdentifierError) {
            return try BundleIdentifier(name, allowingReserved: name == Greeting.commandLineBundleID)
        } catch {
            throw .invalid(member, because: error.reason, fix: error.fix)
        }
    }

    private func answer(_ views: SessionViews, _ request: RequestView) -> Answer {
        let client = views.status.client(request)
        let facts = views.policy.facts(for: request, site: views.sites.unnamed(request))
        let names = Examination(of: facts, for: client.isNamed ? .keychainItem : .save).refusals.map(\.reason)
            .filter { client.isIdentified || $0 == .identityMismatch }
        let verified = VerifiedApp(
            bundleID: client.bundleID, assurance: client.assurance ?? "none",
            registration: client.isNamed ? nil : client.registration?.origin.file,
            associatedDomainCount: client.registration?.entitlements.associatedDomains.count ?? 0,
            // The command line is no app: it has no registration to miss.
            reasonNames: client.bundleID == Greeting.commandLineBundleID ? [] : names.map(\.rawValue))
        let product = views.status.product
        return Answer(
            protocolVersion: min(maximumVersion, Limits.protocolVersions.upperBound),
            daemonVersion: product.version, isEphemeral: product.isEphemeral,
            capabilities: Self.capabilities(facts, client), app: verified,
            vault: client.isIdentified ? views.status.vault : nil,
            settings: client.isIdentified ? views.settings.appSettings(of: request.bundleID) : nil)
    }

    /// What the app may do once the vault is open; the user is still asked where that is needed.
    private static func capabilities(_ facts: AutofillFacts, _ client: StatusReader.Client) -> [String] {
        func may(_ purpose: Examination.Purpose) -> Bool {
            Examination(of: facts, for: purpose).findings.allSatisfy { $0.condition == .vault || $0.refusal == nil }
        }
        guard client.registration != nil || client.wideRegistration != nil else { return [] }
        var capabilities: [String] = []
        if may(.strongPassword) { capabilities.append("strong-passwords") }
        if may(.save) { capabilities += ["credentials", "codes"] }
        if may(.save), let wide = client.wideRegistration {
            capabilities += wide.entitlements.isCredentialHelper ? ["urls", "origins"] : ["origins"]
        }
        guard let registration = client.registration else { return capabilities }
        if may(.codeSource), registration.entitlements.isOneTimeCodeSource { capabilities.append("code-source") }
        if may(.keychainItem) {
            capabilities += client.isNamed ? ["keychain"] : ["keychain", "verifiers", "sign-in"]
        }
        return capabilities
    }
}
