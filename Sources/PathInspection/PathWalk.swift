// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc

/// Goes from the root to a path, one open directory at a time, so that what is judged on the way is what is read at the
/// end. Links are followed; they and the directories they lead through count as part of the way.
package struct PathWalk: Sendable {
    /// A directory, link or file that was met.
    package struct Point: Sendable {
        /// Where: without links, but for a link itself. Printed for people, so what is no UTF-8 is repaired.
        package var path: String { bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self) }
        package let facts: FileFacts
        /// Whether a program of a user's serves it (FUSE): then the facts are that program's word.
        package let isServed: Bool
        /// The root is the empty path.
        fileprivate let bytes: [UInt8]

        package init(path: String, facts: FileFacts, isServed: Bool = false) {
            self.init(bytes: path == "/" ? [] : Array(path.utf8), facts: facts, isServed: isServed)
        }

        fileprivate init(bytes: [UInt8], facts: FileFacts, isServed: Bool) {
            (self.bytes, self.facts, self.isServed) = (bytes, facts, isServed)
        }

        /// Whether root alone decides what this is.
        package var isRootsAlone: Bool { facts.isRootsAlone && !isServed }
    }

    /// What was reached.
    package typealias End = (descriptor: Descriptor, point: Point)

    /// As the kernel's own limit (path_resolution(7)).
    static let linkLimit = 40
    /// Parts of the path and of all the links on its way: what a walk may cost at most.
    static let partLimit = 256

    /// Every directory and link that decided where the walk went.
    package private(set) var way: [Point] = []
    /// What was reached, unless it is a directory; opened with O_PATH, and its name in the last directory.
    package private(set) var file: (name: [UInt8], descriptor: Descriptor, point: Point)?
    /// The reached directory, or the one that has the reached file.
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
        let facts = try root.descriptor.look(askingServer: entersServed).facts
        directory = (root.descriptor, Point(bytes: [], facts: facts, isServed: root.isServed))
        try enter(directory)
        try follow(path.first == Self.slash ? Array(path) : Self.workingDirectory() + [Self.slash] + path)
    }

    /// Goes to a path, into every file system on the way.
    package init(to path: String) throws(SystemCallFailure) { try self.init(to: path.utf8, entersServed: true) }

    /// The file, or the directory where the path leads to one.
    package var end: End { file.map { ($0.descriptor, $0.point) } ?? directory }

    /// Whether root alone decides what lies at the path: root's are what was reached, every directory on the way and every
    /// link followed, nobody else may write to any of them, and no program of a user's serves them.
    package var isRootsAlone: Bool { way.allSatisfy(\.isRootsAlone) && end.point.isRootsAlone }

    private mutating func follow(_ path: [UInt8]) throws(SystemCallFailure) {
        var taken = 0
        var ahead = try Self.parts(of: path, atMost: Self.partLimit)
        var links = 0
        while let name = ahead.popLast() {
            taken += 1
            if name.elementsEqual("..".utf8) {
                try enter(look(at: name, as: Array(directory.point.bytes.droppingLastPart)))
                continue
            }
            let next = try look(at: name, as: directory.point.bytes + [Self.slash] + name)
            if next.point.facts.isLink {
                links += 1
                guard links <= Self.linkLimit else { throw SystemCallFailure(code: ELOOP) }
                way.append(next.point)
                let target = try Self.target(of: next.descriptor)
                if target.first == Self.slash, let point = way.first {
                    mount = root.mount
                    directory = (root.descriptor, point)
                }
                ahead += try Self.parts(of: target, atMost: Self.partLimit - taken - ahead.count)
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

    /// What stands under a name in the directory. Each mount that is come to is looked up anew: its number may have been
    /// another's before.
    private mutating func look(at name: [UInt8], as path: [UInt8]) throws(SystemCallFailure) -> End {
        let descriptor = try Descriptor.open(name, in: directory.descriptor, Descriptor.locate | O_NOFOLLOW)
        let (facts, mount) = try descriptor.look(askingServer: entersServed)
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

    /// The parts of a path, the last one first.
    private static func parts(of path: [UInt8], atMost limit: Int) throws(SystemCallFailure) -> [[UInt8]] {
        guard path.count < Int(PATH_MAX) else { throw SystemCallFailure(code: ENAMETOOLONG) }
        let parts = path.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        guard parts.count <= limit else { throw SystemCallFailure(code: ENAMETOOLONG) }
        return parts.reversed().map { Array($0) }
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
    fileprivate var droppingLastPart: ArraySlice<UInt8> {
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
        mount = try descriptor.look(askingServer: false).mount
        // Where the root is no mount of its own (chroot), it is not among those that are seen.
        isServed = mount.server(of: descriptor) == .program
    }
}
