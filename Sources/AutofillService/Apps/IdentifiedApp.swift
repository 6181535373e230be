// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity

/// The app that a connection speaks for: its word, held against the evidence.
struct IdentifiedApp {
    let bundleID: BundleIdentifier
    let isStrict: Bool
    let identity: Result<Identification, PeerRefusal>
    /// Who it is to the vault; nil when word and evidence contradict each other.
    let subject: Subject?
    /// To whom the person's word on the app's own data is given, where nothing that the kernel tells sets this program apart from
    /// any other's: its script, else this process.
    let owner: Subject?
    /// What its Flatpak brought in its own files, right or wrong.
    let deployed: Result<Registration, ConfigurationFileProblem>?
    /// Who speaks for it, where it does not itself.
    let spokesman: Spokesman?
    /// Set where the daemon has named it, by what it saw of the process.
    var named: AppDirectory.Named?

    /// A delegate, and what it says of the asker besides.
    struct Spokesman {
        let delegate: Delegate
        /// What it is by itself, and the process at the other end.
        let bundleID: BundleIdentifier
        let peer: Peer
        let evidence: String?
    }

    /// Whether it is the program's own file that stands for the app.
    var isKnownByProgram: Bool {
        guard case .success(let identified) = identity, let subject = identified.subject else { return false }
        return subject.isProgram
    }

    /// Whether no evidence contradicts what app it says it is.
    var isConsistent: Bool { if case .success = identity { true } else { false } }

    /// The same, whose word counts no more.
    func contradicted(by refusal: PeerRefusal) -> IdentifiedApp { IdentifiedApp(self, refusal) }

    private init(_ former: IdentifiedApp, _ refusal: PeerRefusal) {
        bundleID = former.bundleID
        isStrict = former.isStrict
        deployed = former.deployed
        spokesman = former.spokesman
        named = former.named
        identity = .failure(refusal)
        (subject, owner) = (nil, nil)
    }

    init(
        _ bundleID: BundleIdentifier, isStrict: Bool, of peer: Peer, registration: Registration?,
        deployed: Result<Registration, ConfigurationFileProblem>?, executables: [RegisteredExecutable],
        spokesman: Spokesman? = nil, named: AppDirectory.Named? = nil
    ) {
        self.bundleID = bundleID
        self.isStrict = isStrict
        self.deployed = deployed
        self.spokesman = spokesman
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
            if let spokesman { identified = identified.spoken(by: spokesman.delegate) }
            identity = .success(identified)
            let passing = peer.passingName(through: spokesman?.delegate.path)
            let line = identified.subject?.line(contentHash: peer.contentHash) ?? passing
            subject = Subject(app: bundleID.text, assurance: identified.assurance.rawValue, executable: line)
            owner =
                GrantSubject.isOfLogin(line: line)
                ? Subject(
                    app: bundleID.text, assurance: identified.assurance.rawValue,
                    executable: (peer.script?.line ?? peer.starter?.line).map { "\(line) \($0)" } ?? passing) : nil
        } catch {
            identity = .failure(error)
            (subject, owner) = (nil, nil)
        }
    }
}
