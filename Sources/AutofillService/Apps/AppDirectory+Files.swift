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

    func inspect(
        _ peer: Peer, claiming bundleID: BundleIdentifier
    ) async throws(RefusedRequest) -> PeerSeen {
        let (catalog, files, evidence, userID) = (catalog, environment.files, peer.evidence, userID)
        do {
            return try await environment.pool.run(
                .files, about: bundleID.text, deadline: .milliseconds(Limits.fileLookMilliseconds)
            ) {
                let deployed = evidence.deployedRegistration(claiming: bundleID, userID: userID)
                let registration = Self.registration(of: bundleID, deployed: deployed, in: catalog)
                return PeerSeen(
                    registration: registration, deployed: deployed,
                    executables: registration.map { files.registered($0.executables.map(\.text)) } ?? [])
            }
        } catch {
            throw error.refused(.notSeen("What its registration names", of: bundleID.text))
        }
    }

    /// What lies at the paths that a registration names, as it is now.
    func executables(of registration: Registration) async throws(RefusedRequest) -> [RegisteredExecutable] {
        let (files, paths) = (environment.files, registration.executables.map(\.text))
        do {
            return try await environment.pool.run(
                .files, about: registration.bundleID.text, deadline: .milliseconds(Limits.fileLookMilliseconds)
            ) {
                files.registered(paths)
            }
        } catch {
            throw error.refused(
                .notSeen(
                    "What its registration names", of: registration.bundleID.text,
                    registeredIn: registration.origin.file))
        }
    }

    /// The content of a file that a registration names; nil when it cannot be read.
    func contentHash(of executable: RegisteredExecutable) async throws(RefusedRequest) -> String? {
        guard let version = executable.version else { return nil }
        let (files, path) = (environment.files, executable.path)
        do {
            return try await environment.pool.run(
                .hashing, about: path, deadline: .milliseconds(Limits.hashMilliseconds)
            ) {
                files.contentHash(path, version)
            }
        } catch {
            throw error.refused(Refusal(.internalFault))
        }
    }
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
