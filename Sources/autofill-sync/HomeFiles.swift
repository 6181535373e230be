// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection
internal import SyncCarrier

/// What git(1) and ssh(1) may read of the user's home, and the paths outside it and the daemon's data directory.
struct HomeFiles {
    /// By its real path, and as a file, which may have other paths: those of bind mounts.
    private struct Directory {
        let path: String
        let facts: FileFacts?

        init(_ path: String) { (self.path, facts) = (path, HomeFiles.facts(of: path, O_DIRECTORY)) }
    }

    private enum Relation { case secret, aboveSecret, other }

    /// Real paths: of the environment's HOME, and of the user database's, which ssh(1) uses.
    private let homes: [String]
    /// The homes and the daemon's data directory.
    private let secret: [Directory]
    /// The directories above these.
    private let aboveSecret: [Directory]
    private let others: [String]
    private let programs: String?

    /// How deep a secret directory may be for the entries of those above it to be found.
    private static let depth = 16
    private static let keyDepth = 3
    private static let keyEntries = 1000

    /// - Parameters:
    ///   - others: what the user names besides.
    ///   - programs: the directory of git's own programs.
    ///   - spool: in the daemon's data directory.
    init(_ others: [String], programs: String?, spool: SpoolDirectory) {
        (self.others, self.programs) = (others, programs)
        let recorded = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
        homes = [Self.variable("HOME"), recorded].compactMap { $0 }.compactMap(Self.realPath)
        // The spool may be a link.
        let data = [spool.path + "/..", Self.parents(of: spool.path).last ?? "/"]
        let paths = homes + data.compactMap(Self.realPath)
        secret = paths.map(Directory.init)
        aboveSecret = paths.flatMap(Self.parents).map(Directory.init)
    }

    /// ~/.ssh, what links in it point to, the directories of PATH, the git and ssh that links in these point to, and what the
    /// user names. A home, the daemon's data directory, and a directory above one, only the user's own naming permits.
    var readable: [String] {
        let keys = homes.map { $0 + "/.ssh" }
        let searched = (Self.variable("PATH") ?? "").split(separator: ":").map(String.init)
        let directories = searched.filter { $0.hasPrefix("/") }
        let named = directories.flatMap { [$0 + "/git", $0 + "/ssh"] }.compactMap(Self.realPath)
        let files = named.filter { Self.facts(of: $0, O_NOFOLLOW)?.isRegular == true }
        let paths = keys + keys.flatMap(Self.links) + directories + [programs].compactMap { $0 }
        return paths.compactMap(Self.realPath).filter { relation(of: $0) == .other } + files + others
    }

    /// Of the root, and of each directory above a secret one, the entries that are neither. They are not to be followed
    /// where they are links.
    var pathsOutside: [String] { entries(of: "/", depth: 0) }

    /// - Parameter directory: ends with a slash.
    private func entries(of directory: String, depth: Int) -> [String] {
        guard depth < Self.depth else { return [] }
        return Self.names(in: directory).flatMap { name -> [String] in
            let path = directory + name
            switch relation(of: path) {
            case .secret: return []
            case .aboveSecret: return entries(of: path + "/", depth: depth + 1)
            case .other: return [path]
            }
        }
    }

    private func relation(of path: String) -> Relation {
        let facts = Self.facts(of: path, O_NOFOLLOW)
        func isOne(of directories: [Directory]) -> Bool {
            directories.contains { directory in
                if directory.path == path { return true }
                guard let facts, let other = directory.facts else { return false }
                return facts.isSameFile(as: other)
            }
        }
        return isOne(of: secret) ? .secret : isOne(of: aboveSecret) ? .aboveSecret : .other
    }

    private static func parents(of path: String) -> [String] {
        let names = path.split(separator: "/")
        return names.indices.map { "/" + names[..<$0].joined(separator: "/") }
    }

    /// Those in a directory, and in the directories in it.
    private static func links(in directory: String) -> [String] {
        var found: [String] = []
        var pending = [(path: directory, depth: 0)]
        var rest = keyEntries
        while !pending.isEmpty {
            let next = pending.removeFirst()
            for name in names(in: next.path).prefix(rest) {
                rest -= 1
                let path = "\(next.path)/\(name)"
                guard let facts = Self.facts(of: path, O_NOFOLLOW) else { continue }
                if facts.isLink { found.append(path) }
                if facts.isDirectory, next.depth < keyDepth { pending.append((path, next.depth + 1)) }
            }
        }
        return found
    }

    /// None where it cannot be listed, as a /home that only root may list.
    private static func names(in path: String) -> [String] {
        do throws(SystemCallFailure) {
            return try Descriptor.open(path, Descriptor.locate | O_DIRECTORY).names { $0 != "." && $0 != ".." }
        } catch {
            return []
        }
    }

    /// Nil where it cannot be located. No server of a file system is asked.
    private static func facts(of path: String, _ flags: Int32) -> FileFacts? {
        do throws(SystemCallFailure) {
            return try Descriptor.open(path, Descriptor.locate | flags).inspect(askingServer: false).facts
        } catch {
            return nil
        }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Nil where there is no such file.
    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
