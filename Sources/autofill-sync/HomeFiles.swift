// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection

/// What git(1) and ssh(1) may read of the user's home, and the paths outside it.
struct HomeFiles {
    /// Real paths: of the environment's HOME, and of the user database's, which ssh(1) uses.
    private let homes: [String]
    private let others: [String]
    private let programs: String?

    /// - Parameters:
    ///   - others: what the user names besides.
    ///   - programs: the directory of git's own programs.
    init(_ others: [String], programs: String?) {
        (self.others, self.programs) = (others, programs)
        let recorded = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
        homes = [Self.variable("HOME"), recorded].compactMap { $0 }.compactMap(Self.realPath).filter { $0 != "/" }
    }

    /// ~/.ssh, what links in it point to, the directories of PATH, the git and ssh that links in these point to, and what the
    /// user names. Where a path is that of a home, or of a directory that contains one, only the user's own naming permits it.
    var readable: [String] {
        let keys = homes.map { $0 + "/.ssh" }
        let directories = (Self.variable("PATH") ?? "").split(separator: ":").map(String.init)
        let absolute = directories.filter { $0.hasPrefix("/") }
        let found = absolute.flatMap { [$0, $0 + "/git", $0 + "/ssh"] } + [programs].compactMap { $0 }
        let paths = (keys + keys.flatMap(Self.links) + found).compactMap(Self.realPath)
        return paths.filter { path in !homes.contains { Self.isSame($0, orBelow: path) } } + others
    }

    /// Of the root, and of each directory that contains a home, the entries that contain none. They are not to be followed
    /// where they are links.
    var pathsOutside: [String] { entries(of: "/") }

    /// - Parameter directory: ends with a slash.
    private func entries(of directory: String) -> [String] {
        Self.names(in: directory).flatMap { name -> [String] in
            let path = directory + name
            if homes.contains(path) { return [] }
            return homes.contains { Self.isSame($0, orBelow: path) } ? entries(of: path + "/") : [path]
        }
    }

    private static func links(in directory: String) -> [String] {
        names(in: directory).map { "\(directory)/\($0)" }.filter { path in
            var file = stat()
            return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFLNK
        }
    }

    /// None where it cannot be listed, as a /home that only root may list.
    private static func names(in path: String) -> [String] {
        do throws(SystemCallFailure) {
            return try Descriptor.open(path, Descriptor.locate | O_DIRECTORY).names { $0 != "." && $0 != ".." }
        } catch {
            return []
        }
    }

    private static func isSame(_ path: String, orBelow other: String) -> Bool {
        path == other || other == "/" || path.hasPrefix(other + "/")
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Nil where there is no such file.
    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
