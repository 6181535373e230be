// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

extension AutofillBroker {
    /// The bundle ID under which `autofillctl` greets: reserved, but open to anyone, since it gives no right.
    static let commandLineBundleID = "org.autofilld.autofillctl"
    static let capabilities = [
        "strong-passwords", "credentials", "grants", "domains", "diagnose", "one-time-codes", "keychain", "verifiers",
        "sign-in", "settings", "events",
    ]

    /// Takes the app's word and holds it against the evidence.
    func greet(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        guard let id = request.id else { return nil }
        guard client.app == nil else {
            writer.reject(id, ProtocolProblem(.helloRepeated))
            return nil
        }
        do throws(ProtocolProblem) {
            let (call, warnings): (Hello, [String]) = try parameters(of: request, for: client)
            guard call.minimumVersion <= Limits.protocolVersions.upperBound,
                call.maximumVersion >= Limits.protocolVersions.lowerBound, call.minimumVersion <= call.maximumVersion
            else { throw ProtocolProblem(.protocolUnsupported, member: "protocol") }
            client.app = try app(named: call.bundleID, isStrict: call.isStrict, of: client.peer)
            finish(id, call, client, warnings, &writer, hello)
        } catch {
            writer.reject(id, error)
        }
        return nil
    }

    private func app(
        named name: String, isStrict: Bool, of peer: Peer
    ) throws(ProtocolProblem) -> Client.App {
        let bundleID: BundleIdentifier
        do throws(BundleIdentifierError) {
            bundleID = try BundleIdentifier(name, allowingReserved: name == Self.commandLineBundleID)
        } catch {
            throw ProtocolProblem(.parameterInvalid, member: "bundleID", detail: "\(error.reason) \(error.fix)")
        }
        reloadRegistrations()
        return app(
            bundleID, isStrict: isStrict, of: peer, deployed: peer.deployedRegistration(claiming: bundleID))
    }

    /// The app as it is known by the registrations of now.
    func app(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer,
        deployed: Result<Registration, ConfigurationFileProblem>?
    ) -> Client.App {
        let identity = identification(of: peer, claiming: bundleID, deployed: deployed)
        var subject: Subject?
        if case .success(let identified) = identity {
            subject = Subject(
                app: bundleID.text, assurance: identified.assurance.rawValue,
                executable: identified.subject?.line(contentHash: peer.contentHash) ?? peer.passingName)
        }
        return Client.App(
            bundleID: bundleID, isStrict: isStrict, identity: identity, subject: subject, deployed: deployed)
    }

    private func identification(
        of peer: Peer, claiming bundleID: BundleIdentifier,
        deployed: Result<Registration, ConfigurationFileProblem>?
    ) -> Result<Identification, PeerRefusal> {
        let registration = registration(of: bundleID, deployed: deployed).map { registration in
            let isDeployed = registration == (try? deployed?.get())
            let isRoots = registration.origin.owner == .root
            return RegistrationEvidence(
                origin: isDeployed ? .flatpak : isRoots ? .administrator : .user,
                executables: isDeployed ? [] : peer.registered(registration.executables.map(\.text)))
        }
        do throws(PeerRefusal) {
            return .success(try peer.evidence.identification(claiming: bundleID.text, registration: registration))
        } catch {
            return .failure(error)
        }
    }

    private func hello(_ call: Hello, _ client: Client) throws(RefusedRequest) -> Hello.Answer {
        guard let app = client.app else { throw RefusedRequest(.internalFault) }
        let registration = registration(of: client)
        // The command line is no app: it has no registration to miss.
        let isApp = app.bundleID.text != Self.commandLineBundleID
        prefetch(registration)
        let refusals = isApp ? Examination(of: facts(for: client, site: .unnamed), for: .save).refusals : []
        let identified = try? app.identity.get()
        let verified = VerifiedApp(
            bundleID: app.bundleID.text, assurance: identified?.assurance.rawValue ?? "none",
            grounds: identified?.grounds ?? [], registration: registration?.origin.file,
            associatedDomains: registration?.entitlements.associatedDomains.map(\.description) ?? [],
            reasons: refusals.map(ReasonReport.init))
        return Hello.Answer(
            protocolVersion: min(call.maximumVersion, Limits.protocolVersions.upperBound),
            daemonVersion: configuration.version, isEphemeral: configuration.isEphemeral,
            capabilities: Self.capabilities, app: verified, vault: vault.word,
            settings: appSettings(of: client))
    }
}
