// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import EventLoop
internal import PeerIdentity
internal import Reasons

/// Apps that nobody names: the daemon does, by what it sees of the process that the bridge of Secret Service hands over.
extension AppDirectory {
    /// What such an app is.
    struct Named {
        /// Made of what was seen: it declares nothing, and reaches the one access group of Secret Service.
        let registration: Registration
        /// By each schema of the families that the program is of: the paths of the programs that share its items.
        let shared: [String: Set<String>]
    }

    /// Whether the daemon may name the app that a program speaks for.
    func isSecretService(_ app: IdentifiedApp) -> Bool {
        guard let own = registration(named: app.bundleID) else { return false }
        return own.entitlements.isSecretService && isAdministrators(own)
    }

    /// The app of a process: that of the registration of its executable or script, else what it is named after.
    func name(of peer: Peer) async throws(RefusedRequest) -> BundleIdentifier {
        if let registered = try await registration(ofProgram: peer) { return registered.bundleID }
        return try madeName(of: peer).bundleID
    }

    /// What is reported of an app that the daemon has named.
    func named(_ bundleID: BundleIdentifier, _ peer: Peer) async -> Named {
        var shared: [String: Set<String>] = [:]
        if let path = peer.evidence.executable.path,
            let identified = try? peer.evidence.identification(
                claiming: bundleID.text, registration: nil, isNamed: true)
        {
            let files = inspections
            let families = (try? await inspect(about: Self.administrator) { files.families(path) }) ?? []
            shared = peer.evidence.shared(identifiedAs: identified, among: families)
        }
        let title = catalog[bundleID]?.name ?? (try? madeName(of: peer)).flatMap { try? AppName($0.title) }
        return Named(registration: .unregistered(bundleID, title), shared: shared)
    }

    /// A name that no registration has, or one whose registration leaves open which programs are the app.
    private func madeName(of peer: Peer) throws(RefusedRequest) -> (bundleID: BundleIdentifier, title: String) {
        let naming: AppNaming
        do throws(PeerRefusal) {
            naming = try peer.evidence.naming(running: peer.script, startedBy: peer.starter)
        } catch {
            throw RefusedRequest(.identityMismatch, [.app: "", .detail: error.description])
        }
        if let name = bundleID(naming) { return (name, naming.title) }
        // What the unit is named after is no bundle ID, or another program's.
        guard case .file(let file) = peer.evidence.executable else {
            throw RefusedRequest(.identityMismatch, [.app: "", .detail: "its executable may not be read"])
        }
        let program = AppNaming.program(peer.evidence.namingPath(of: file))
        guard let name = bundleID(program) else {
            throw RefusedRequest(.identityMismatch, [.app: "", .detail: "its path is no name"])
        }
        return (name, program.title)
    }

    private func bundleID(_ naming: AppNaming) -> BundleIdentifier? {
        let text = naming.bundleID(inspections.nameHash)
        switch naming {
        case .flatpak: return try? BundleIdentifier(text)
        case .unit:
            guard let name = try? BundleIdentifier(text), catalog[name]?.executables.isEmpty ?? true else { return nil }
            return name
        case .script, .program: return try? BundleIdentifier(text, allowingReserved: true)
        }
    }

    /// The registration that names the peer's executable or script; root's before the user's, the first by name. nil in a sandbox.
    private func registration(ofProgram peer: Peer) async throws(RefusedRequest) -> Registration? {
        guard case .none = peer.evidence.sandbox, case .file(let file) = peer.evidence.executable,
            peer.evidence.mountNamespaceDiffers == false, !peer.evidence.isCarrier(running: peer.script)
        else { return nil }
        return try await registration(of: file, running: peer.script?.path)
    }

    private func registration(
        of file: ExecutableFile, running script: String?
    ) async throws(RefusedRequest) -> Registration? {
        let registered = catalog.registrations.filter { !$0.executables.isEmpty }
        let inOrder = registered.filter { $0.origin.owner == .root } + registered.filter { $0.origin.owner != .root }
        if let script { return inOrder.first { $0.executables.contains { $0.text == script } } }
        let files = inspections
        do throws(PeerRefusal) {
            return try await inspect(about: "registrations") { inOrder.first { $0.names(file, files) } }
        } catch {}
        // One of them names what does not answer: each by itself, so that it alone is left out, unless it may name this program.
        for registration in inOrder {
            do throws(PeerRefusal) {
                if try await inspect(about: registration.bundleID.text, { registration.names(file, files) }) {
                    return registration
                }
            } catch {
                guard registration.mayName(file) || !pool.accepts(.files) else { continue }
                throw RefusedRequest([
                    .notSeen(
                        "What its registration names", of: registration.bundleID.text,
                        registeredIn: registration.origin.file)
                ])
            }
        }
        return nil
    }
}

/// Programs that nobody runs now.
extension AppDirectory {
    /// What the program or script at a path is called when it asks through Secret Service, and how it is known again; nil where
    /// there is none, it runs other programs, or it cannot be read.
    func program(at path: String) async -> (app: String, subject: GrantSubject, contentHash: String?)? {
        let files = inspections
        guard let seen = (try? await inspect(about: path) { files.registered([path]) })?.first,
            let identity = seen.identity, !seen.isAppImage
        else { return nil }
        var hash: String?
        if !seen.isBinary || !seen.isRootOwned {
            guard let read = try? await contentHash(of: seen) else { return nil }
            hash = read
        }
        let file = ExecutableFile(path: seen.target, identity: identity, owner: 0, location: .rootOwned)
        let script = seen.isBinary ? nil : hash.map { Script(path: file.path, hash: $0) }
        guard script != nil || Interpreter(fileName: String(file.fileName)) == nil else { return nil }
        let registered: Registration?
        do throws(RefusedRequest) {
            registered = try await registration(of: file, running: script?.path)
        } catch {
            return nil
        }
        let naming = script == nil ? AppNaming.program(file.path) : .script(file.path)
        let app = registered?.bundleID.text ?? naming.bundleID(inspections.nameHash)
        if let script { return (app, .script(script), nil) }
        return (app, seen.isRootOwned ? .path(file.path) : .file(file.path), hash)
    }

    /// The programs that speak for those who ask through Secret Service: delegates that a registration with that entitlement names.
    func secretServiceBridges() async -> [String] {
        let bridges = catalog.registrations.filter { $0.entitlements.isSecretService && isAdministrators($0) }
        let (files, paths) = (inspections, bridges.flatMap { $0.executables.map(\.text) })
        let found = try? await inspect(about: Self.administrator) {
            let delegates = Set(files.delegates().flatMap { $0.executables.filter(\.isRootOwned).map(\.target) })
            return files.registered(paths).map(\.target).filter { delegates.contains($0) }
        }
        return found ?? []
    }
}

extension Registration {
    /// Whether it names this file. Reads files.
    fileprivate func names(_ file: ExecutableFile, _ files: FileInspections) -> Bool {
        executables.contains { path in
            files.registered([path.text]).contains { $0.identity?.isSameFile(as: file.identity) == true }
        }
    }

    /// Whether it names a file of this name, wherever.
    fileprivate func mayName(_ file: ExecutableFile) -> Bool {
        executables.contains { $0.text.split(separator: "/").last?.elementsEqual(file.fileName) == true }
    }

    /// In memory only: of an app that the daemon has named.
    fileprivate static func unregistered(_ bundleID: BundleIdentifier, _ name: AppName?) -> Registration {
        Registration(
            bundleID: bundleID, name: name ?? .program,
            origin: Origin(file: "named by what was seen of it", owner: .user))
    }
}

extension AppName {
    fileprivate static let program: AppName = {
        do { return try AppName("A program") } catch { preconditionFailure("a plain name") }
    }()
}
