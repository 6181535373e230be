// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PeerIdentity

/// The places that Flatpak deploys apps to: the system's, the user's, and those an administrator added.
package struct FlatpakInstallations: Sendable {
    static let system = "system"

    private let named: [(name: String, path: [UInt8])]
    private let configuration: String

    /// - Parameters:
    ///   - user: the user's own installation; nil when it is not known.
    ///   - configuration: the directory of the administrator's `*.conf` files, read when an app lies in neither of the
    ///     two well-known places.
    package init(
        system: String = "/var/lib/flatpak", user: String?, configuration: String = "/etc/flatpak/installations.d"
    ) {
        named = [(Self.system, Array(system.utf8))] + (user.map { [("user", Array($0.utf8))] } ?? [])
        self.configuration = configuration
    }

    /// The name of the installation at a path; nil when none is there. Directories are compared, not texts: `/home` may be
    /// a symbolic link.
    func name(of path: String) -> String? {
        guard let place = PathWalk(path.utf8) else { return nil }
        return (named + added).first { candidate in
            PathWalk(candidate.path).map { $0.file.device == place.file.device && $0.file.inode == place.file.inode }
                ?? false
        }?.name
    }

    /// `[Installation "NAME"]` with `Path=`, in each file.
    private var added: [(name: String, path: [UInt8])] {
        guard let directory = opendir(configuration) else { return [] }
        defer { closedir(directory) }
        var found: [(name: String, path: [UInt8])] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
            guard name.suffix(5).elementsEqual(".conf".utf8) else { continue }
            let opened = af_open_read(AT_FDCWD, Array(configuration.utf8) + Array("/".utf8) + name + [0], true)
            guard opened >= 0, let content = OpenFile(descriptor: opened).content(limit: 64 * 1024),
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
