// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// The programs that a grant by command is for, as they are now.
package struct GrantedPrograms: Sendable {
    package enum Query: Sendable {
        /// The program or script at a path, as it is when it asks through Secret Service.
        case ofSecretService(String)
        /// The executables that an app's registration names.
        case registered(BundleIdentifier)
    }

    package let app: String
    /// A subject's executable for each.
    package let executables: [String]

    static func inspect(_ query: Query, _ apps: AppDirectory) async throws(RefusedRequest) -> GrantedPrograms {
        switch query {
        case .ofSecretService(let path): try await ofSecretService(path, apps)
        case .registered(let bundleID):
            GrantedPrograms(app: bundleID.text, executables: try await registered(bundleID, apps))
        }
    }

    /// Its app, and its subject by each Secret Service bridge.
    private static func ofSecretService(
        _ path: String, _ apps: AppDirectory
    ) async throws(RefusedRequest) -> GrantedPrograms {
        await apps.reload()
        guard let program = await apps.program(at: path) else {
            throw .invalid(
                "executable", "the path of a program or a script that can be read, and that is no interpreter")
        }
        let bridges = await apps.secretServiceBridges()
        guard !bridges.isEmpty else {
            throw RefusedRequest(.appNotInstalled, [.app: "autofilld.secrets", .path: path])
        }
        let executables = bridges.compactMap {
            GrantSubject.delegated(by: $0, program.subject).line(contentHash: program.contentHash)
        }
        return GrantedPrograms(app: program.app, executables: executables)
    }

    /// The subject of each executable: a root-owned one by its path, the user's by path and content. A script or an AppImage runs as
    /// another program, which the user's consent then covers: any.
    private static func registered(
        _ bundleID: BundleIdentifier, _ apps: AppDirectory
    ) async throws(RefusedRequest) -> [String] {
        guard let registration = apps.registration(named: bundleID) else {
            throw RefusedRequest(.appNotRegistered, [.app: bundleID.text])
        }
        // What runs of a Flatpak is its own, whatever it is called inside.
        if let flatpak = apps.connectedFlatpak(bundleID), flatpak.delegate == nil, let subject = flatpak.subject,
            registration == (try? flatpak.deployed?.get())
        {
            return [subject.executable]
        }
        var subjects: Set<String> = []
        for executable in try await apps.executables(of: registration) where executable.identity != nil {
            if executable.isScript || executable.isAppImage {
                subjects.insert("")
            } else {
                let subject: GrantSubject = executable.isRootOwned ? .path(executable.target) : .file(executable.target)
                let hash = subject.needsContentHash ? try await apps.contentHash(of: executable) : nil
                if let line = subject.line(contentHash: hash) { subjects.insert(line) }
            }
        }
        if registration.executables.isEmpty { subjects.insert("") }
        // A grant that names none of the executables would be wider than the registration.
        guard !subjects.isEmpty else {
            throw RefusedRequest(.appNotInstalled, [.app: bundleID.text, .path: registration.origin.file])
        }
        return subjects.sorted()
    }
}
