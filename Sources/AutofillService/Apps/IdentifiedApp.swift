// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity

/// The app of a connection: its claim, compared with the evidence.
final class IdentifiedApp {
    let bundleID: BundleIdentifier
    let isStrict: Bool
    let identity: Result<Identification, PeerRefusal>
    /// The app as the vault knows it; nil when claim and evidence contradict each other.
    let subject: Subject?
    /// To what the user's consent is given.
    let grantees: Grantees
    /// What its Flatpak brought in its own files, right or wrong.
    let deployed: Result<Registration, ConfigurationFileProblem>?
    /// The delegate that acts for it, where it does not itself.
    let delegate: DelegateConnection?
    /// Set where the daemon has named it, by what it saw of the process.
    let named: AppDirectory.Named?

    /// What the user's remembered decisions about the app may name.
    var subjects: [Subject] { [subject].compactMap(\.self) + grantees.all }

    /// To what the user's consent to the app's own data is given, where nothing that the kernel reports distinguishes this
    /// program from any other: its script or what started it, else this process.
    var owner: Subject? { grantees.owner }

    /// Whether the program's own file, or its sandbox, identifies the app.
    var isIdentifiedByProgram: Bool {
        guard case .success(let identified) = identity, let subject = identified.subject else { return false }
        return subject.isProgram
    }

    /// Whether no evidence contradicts its claim.
    var isConsistent: Bool { if case .success = identity { true } else { false } }

    /// The same, whose claim counts no more.
    func contradicted(by refusal: PeerRefusal) -> IdentifiedApp { IdentifiedApp(self, refusal) }

    private init(_ former: IdentifiedApp, _ refusal: PeerRefusal) {
        bundleID = former.bundleID
        isStrict = former.isStrict
        deployed = former.deployed
        delegate = former.delegate
        named = former.named
        identity = .failure(refusal)
        (subject, grantees) = (nil, Grantees())
    }

    init(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, registration: Registration?,
        deployed: Result<Registration, ConfigurationFileProblem>?, executables: [RegisteredExecutable],
        delegate: DelegateConnection? = nil, named: AppDirectory.Named? = nil
    ) {
        self.bundleID = bundleID
        self.isStrict = isStrict
        self.deployed = deployed
        self.delegate = delegate
        self.named = named
        let evidence = registration.map { registration in
            let isDeployed = registration == (try? deployed?.get())
            let isRoots = registration.origin.owner == .root
            return RegistrationEvidence(
                origin: isDeployed ? .flatpak : isRoots ? .administrator : .user,
                executables: isDeployed ? [] : executables)
        }
        do throws(PeerRefusal) {
            var identified = try peer.evidence.identification(
                claiming: bundleID.text, registration: evidence, isNamed: named != nil && registration == nil)
            if let delegate { identified = identified.spoken(by: delegate.program) }
            identity = .success(identified)
            let passing = peer.passingName(through: delegate?.program.path)
            let line = identified.subject?.line(contentHash: peer.contentHash) ?? passing
            let seen = Subject(app: bundleID.text, assurance: identified.assurance.rawValue, executable: line)
            subject = seen
            let own = peer.evidence.ownLine(running: peer.script, startedBy: peer.starter)
            let ownLine = own.map { "\(line) \($0)" } ?? passing
            grantees = Grantees(
                seen, owner: GrantSubject.isOfLogin(line: line) ? seen.running(ownLine) : nil,
                isRelayed: named != nil && peer.evidence.isRelay,
                script: peer.lastingScript.flatMap { identified.subject?.running($0)?.line() },
                login: peer.evidence.login)
        } catch {
            identity = .failure(error)
            (subject, grantees) = (nil, Grantees())
        }
    }
}

/// A delegate, and what it reports of the program that it acts for.
struct DelegateConnection {
    let program: Delegate
    /// The app that it is by itself, and the process at the other end.
    let bundleID: BundleIdentifier
    let peer: Peer
    let evidence: String?
}
