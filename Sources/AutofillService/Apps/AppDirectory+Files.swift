// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import EventLoop
internal import PeerIdentity
internal import Reasons

/// What the file system contains about peers and programs; read on the worker pool. Where what a registration names hangs, that
/// takes a few threads, and no more until one returns.
extension AppDirectory {
    /// What the file system contains about a peer that claims to be an app.
    struct PeerSeen: Sendable {
        let registration: Registration?
        let deployed: Result<Registration, ConfigurationFileProblem>?
        let executables: [RegisteredExecutable]
    }

    func inspect(_ peer: Peer, claiming bundleID: BundleIdentifier) async throws(RefusedRequest) -> PeerSeen {
        let (catalog, files, evidence, userID) = (catalog, environment.files, peer.evidence, userID)
        let refusal = Refusal.notSeen("What its registration names", of: bundleID.text)
        return try await inspect(about: bundleID.text, refusing: refusal) {
            let deployed = evidence.deployedRegistration(claiming: bundleID, userID: userID)
            let registration = Self.registration(of: bundleID, deployed: deployed, in: catalog)
            return PeerSeen(
                registration: registration, deployed: deployed,
                executables: registration.map { files.registered($0.executables.map(\.text)) } ?? [])
        }
    }

    /// What lies at the paths that a registration names, as it is now.
    func executables(of registration: Registration) async throws(RefusedRequest) -> [RegisteredExecutable] {
        let (files, paths, app) = (environment.files, registration.executables.map(\.text), registration.bundleID.text)
        let refusal = Refusal.notSeen("What its registration names", of: app, registeredIn: registration.origin.file)
        return try await inspect(about: app, refusing: refusal) { files.registered(paths) }
    }

    /// The content of a file that a registration names; nil when it cannot be read.
    func contentHash(of executable: RegisteredExecutable) async throws(RefusedRequest) -> String? {
        guard let version = executable.version else { return nil }
        let (files, path) = (environment.files, executable.path)
        return try await inspect(.hashing, about: path, refusing: Refusal(.internalFault)) {
            files.contentHash(path, version)
        }
    }

    /// - Parameter refusal: where it does not end in time.
    private func inspect<Seen: Sendable>(
        _ lane: WorkLane = .files, about subject: String, refusing refusal: Refusal,
        _ body: @escaping @Sendable () -> Seen
    ) async throws(RefusedRequest) -> Seen {
        do throws(WaitFailure) { return try await pool.run(lane, about: subject, deadline: lane.limit, body) } catch {
            throw error.refused(refusal)
        }
    }
}

extension WorkLane {
    /// How long an inspection of files is waited for.
    var limit: Duration { .milliseconds(self == .hashing ? Limits.hashMilliseconds : Limits.fileLookMilliseconds) }
}

extension PeerEvidence {
    /// What the Flatpak that the peer runs in brought, if the files are those of an installation that was verified. Reads files.
    fileprivate func deployedRegistration(
        claiming bundleID: BundleIdentifier, userID: UInt32
    ) -> Result<Registration, ConfigurationFileProblem>? {
        guard case .flatpak(let instance, .deployed(_, let files)) = sandbox, !instance.isBuild,
            instance.originalAppPath == nil, instance.appID.utf8.elementsEqual(bundleID.text.utf8)
        else { return nil }
        return RegistrationFile.deployed(by: bundleID, in: files, userID: userID)
    }
}
