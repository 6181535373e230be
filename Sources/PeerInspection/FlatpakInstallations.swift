// SPDX-License-Identifier: Apache-2.0
internal import PathInspection
internal import PeerIdentity

/// The directories of Flatpak installations: the system's, the user's, and those an administrator added.
package struct FlatpakInstallations: Sendable {
    static let system = "system"

    private let named: [(name: String, path: [UInt8])]
    private let configuration: String

    /// - Parameters:
    ///   - user: the user's own installation; nil when it is not known.
    ///   - configuration: the directory of the administrator's `*.conf` files, read when an app is in neither of the
    ///     two standard directories.
    package init(
        system: String = "/var/lib/flatpak", user: String?, configuration: String = "/etc/flatpak/installations.d"
    ) {
        named = [(Self.system, Array(system.utf8))] + (user.map { [("user", Array($0.utf8))] } ?? [])
        self.configuration = configuration
    }

    /// The name of the installation at a path; nil when none is there. Directories are compared, not texts: `/home` may
    /// be a symbolic link. Fails with `SystemCallFailure.served` where the path leads to a program of the user's
    /// (FUSE).
    func name(of path: String) throws(SystemCallFailure) -> String? {
        let root: PathWalk
        do {
            root = try PathWalk(to: path.utf8, entersServed: false)
        } catch {
            if error == .served { throw error }
            return nil
        }
        return (named + added).first { candidate in
            guard let walk = try? PathWalk(to: candidate.path, entersServed: false) else { return false }
            return walk.end.point.facts.isSameFile(as: root.end.point.facts)
        }?.name
    }

    /// `[Installation "NAME"]` with `Path=`, in each file.
    private var added: [(name: String, path: [UInt8])] {
        let limit = 64 * 1024
        guard let directory = try? PathWalk(to: configuration.utf8, entersServed: false).directory.descriptor,
            let names = try? directory.names(where: { $0.hasSuffix(".conf") })
        else { return [] }
        var found: [(name: String, path: [UInt8])] = []
        for name in names {
            guard let walk = try? PathWalk(to: "\(configuration)/\(name)".utf8, entersServed: false),
                walk.end.point.facts.isRegular, let opened = try? walk.end.descriptor.openedForReading(),
                let content = try? opened.read(atMost: limit + 1), content.count <= limit,
                let file = try? GLibKeyFile(parsing: content)
            else { continue }
            for group in file.groups where group.hasPrefix("Installation \"") && group.hasSuffix("\"") {
                guard let path = file[group, "Path"] else { continue }
                found.append((String(group.dropFirst(14).dropLast()), Array(path.utf8)))
            }
        }
        return found
    }
}
