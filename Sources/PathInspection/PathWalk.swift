// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// Walks from the root to a path, one open directory at a time, so that the files that are checked are the files that
/// are read. Links are followed; they and the directories that they pass through are checked too.
package struct PathWalk: Sendable {
    /// A directory, link or file that was met.
    package struct Point: Sendable {
        /// The path: without links, except for a link at the end. Printed for users, so invalid UTF-8 is repaired.
        package var path: String { bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self) }
        package let facts: FileFacts
        /// Whether a program of a user's serves it (FUSE): then the facts are that program's claims.
        package let isServed: Bool
        /// The root is the empty path.
        fileprivate let bytes: [UInt8]

        package init(path: String, facts: FileFacts, isServed: Bool = false) {
            self.init(bytes: path == "/" ? [] : Array(path.utf8), facts: facts, isServed: isServed)
        }

        fileprivate init(bytes: [UInt8], facts: FileFacts, isServed: Bool) {
            (self.bytes, self.facts, self.isServed) = (bytes, facts, isServed)
        }

        /// Whether only root can change it. On a removable medium the owner is whoever wrote that elsewhere.
        package var isRootsAlone: Bool { facts.isRootsAlone && !isServed && !isRemovable }

        /// Whether it lies where removable media are mounted (hier(7), udisks(8)). The options of its mount state
        /// nothing: what is the system's may be mounted nosuid, too (`/nix/store`, `/var`).
        private var isRemovable: Bool { Self.removable.contains { bytes.starts(with: $0) } }

        private static let removable = ["/media/", "/run/media/"].map { Array($0.utf8) }
    }

    /// The end of the walk.
    package typealias End = (descriptor: Descriptor, point: Point)

    /// As the kernel's own limit (path_resolution(7)).
    static let linkLimit = 40
    /// The limit of components of the path and of all links on it.
    static let componentLimit = 256

    /// Every directory and link that decided where the walk went.
    package private(set) var way: [Point] = []
    /// The end of the walk, unless it is a directory; opened with O_PATH, and its name in the last directory.
    package private(set) var file: (name: [UInt8], descriptor: Descriptor, point: Point)?
    /// The directory at the end, or the one that contains the file at the end.
    package private(set) var directory: End
    private let entersServed: Bool
    private let root: Root
    private var mount: Mount

    /// - Parameters:
    ///   - path: from the root, or from the working directory.
    ///   - entersServed: whether to go on where a program of a user's serves the file system, and to ask that program,
    ///     which may never answer; else the walk ends there with `SystemCallFailure.served`.
    package init(to path: some Collection<UInt8>, entersServed: Bool) throws(SystemCallFailure) {
        root = try Root()
        self.entersServed = entersServed
        mount = root.mount
        let facts = try root.descriptor.inspect(askingServer: entersServed).facts
        directory = (root.descriptor, Point(bytes: [], facts: facts, isServed: root.isServed))
        try enter(directory)
        try follow(path.first == Self.slash ? Array(path) : Self.workingDirectory() + [Self.slash] + path)
    }

    /// Walks to a path, into every file system on it.
    package init(to path: String) throws(SystemCallFailure) { try self.init(to: path.utf8, entersServed: true) }

    /// The file, or the directory where the path leads to one.
    package var end: End { file.map { ($0.descriptor, $0.point) } ?? directory }

    /// Whether only root determines the file at the path: root owns it, every directory on the path and every link that
    /// was followed, no other user may write to any of them, and no program of a user's serves them.
    package var isRootsAlone: Bool { way.allSatisfy(\.isRootsAlone) && end.point.isRootsAlone }

    private mutating func follow(_ path: [UInt8]) throws(SystemCallFailure) {
        var taken = 0
        var ahead = try Self.components(of: path, atMost: Self.componentLimit)
        var links = 0
        while let name = ahead.popLast() {
            taken += 1
            if name.elementsEqual("..".utf8) {
                try enter(inspect(at: name, as: Array(directory.point.bytes.droppingLastComponent)))
                continue
            }
            let next = try inspect(at: name, as: directory.point.bytes + [Self.slash] + name)
            if next.point.facts.isLink {
                links += 1
                guard links <= Self.linkLimit else { throw SystemCallFailure(code: ELOOP) }
                way.append(next.point)
                let target = try Self.target(of: next.descriptor)
                if target.first == Self.slash, let point = way.first {
                    mount = root.mount
                    directory = (root.descriptor, point)
                }
                ahead += try Self.components(of: target, atMost: Self.componentLimit - taken - ahead.count)
            } else if next.point.facts.isDirectory {
                try enter(next)
            } else {
                guard ahead.isEmpty else { throw SystemCallFailure(code: ENOTDIR) }
                guard entersServed || !next.point.isServed else { throw .served }
                file = (name, next.descriptor, next.point)
            }
        }
    }

    private mutating func enter(_ next: End) throws(SystemCallFailure) {
        guard entersServed || !next.point.isServed else { throw .served }
        way.append(next.point)
        directory = next
    }

    /// The file with a name in the directory. Each mount is looked up again: its number may have been reused.
    private mutating func inspect(at name: [UInt8], as path: [UInt8]) throws(SystemCallFailure) -> End {
        let descriptor = try Descriptor.open(name, in: directory.descriptor, Descriptor.locate | O_NOFOLLOW)
        let (facts, mount) = try descriptor.inspect(askingServer: entersServed)
        var isServed = directory.point.isServed
        if mount != self.mount {
            isServed = mount == root.mount ? root.isServed : mount.server(of: descriptor) != .system
            self.mount = mount
        }
        return (descriptor, Point(bytes: path, facts: facts, isServed: isServed))
    }
}

extension PathWalk {
    fileprivate static let slash = UInt8(ascii: "/")

    /// The components of a path, the last one first.
    private static func components(of path: [UInt8], atMost limit: Int) throws(SystemCallFailure) -> [[UInt8]] {
        guard path.count < Int(PATH_MAX) else { throw SystemCallFailure(code: ENAMETOOLONG) }
        let components = path.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        guard components.count <= limit else { throw SystemCallFailure(code: ENAMETOOLONG) }
        return components.reversed().map { Array($0) }
    }

    private static func target(of link: Descriptor) throws(SystemCallFailure) -> [UInt8] {
        var length = 0
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            length = af_read_link(link.number, "", buffer.baseAddress, buffer.count)
            count = max(0, length)
        }
        guard length > 0 else { throw SystemCallFailure(code: length < 0 ? Int32(-length) : ENOENT) }
        return target
    }

    private static func workingDirectory() throws(SystemCallFailure) -> [UInt8] {
        guard let path = getcwd(nil, 0) else { throw SystemCallFailure() }
        defer { free(path) }
        return Array(String(cString: path).utf8)
    }
}

extension [UInt8] {
    /// `/a` of `/a/b`; the empty path of `/a` and of itself.
    fileprivate var droppingLastComponent: ArraySlice<UInt8> {
        self[..<(lastIndex(of: PathWalk.slash) ?? 0)]
    }
}

/// The root directory. It is kept open, so that no other mount gets the number of its own.
private struct Root: Sendable {
    let descriptor: Descriptor
    let mount: Mount
    let isServed: Bool

    private static let kept = try? Root(opening: "/")

    init() throws(SystemCallFailure) {
        if let kept = Self.kept { self = kept } else { try self.init(opening: "/") }
    }

    private init(opening path: String) throws(SystemCallFailure) {
        descriptor = try Descriptor.open(path, Descriptor.locate | O_DIRECTORY)
        mount = try descriptor.inspect(askingServer: false).mount
        // Where the root is no mount of its own (chroot), it is not among those that are seen.
        isServed = mount.server(of: descriptor) == .program
    }
}
