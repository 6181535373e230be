// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Goes from the root to a path, one open directory at a time, so that what is judged on the way is what is read at the
/// end. Links are followed; they and the directories they lead through count as part of the way.
struct PathWalk {
    /// A directory, link or file that was met.
    struct Point: Sendable {
        /// Where: without links, but for a link itself.
        let path: String
        let facts: FileFacts
    }

    /// As the kernel's own limit (path_resolution(7)).
    private static let linkLimit = 40

    /// Every directory and link that decided where the walk went.
    private(set) var way: [Point] = []
    /// What was reached, unless it is a directory: its name in the last directory, and what it is.
    private(set) var file: (name: String, point: Point)?
    /// The open directories from the root to here.
    private var stack: [(descriptor: Descriptor, point: Point)] = []

    /// - Parameter path: from the root, or from the working directory.
    init(to path: String) throws(SystemCallFailure) {
        let root = try Descriptor.open("/", Descriptor.locate | O_DIRECTORY)
        let point = Point(path: "/", facts: try root.facts())
        way = [point]
        stack = [(root, point)]
        try follow(path.hasPrefix("/") ? path : Self.workingDirectory() + "/" + path)
    }

    /// The reached directory, or the one that has the reached file.
    var directory: (descriptor: Descriptor, point: Point) {
        get throws(SystemCallFailure) {
            guard let last = stack.last else { throw SystemCallFailure(code: ENOENT) }
            return last
        }
    }

    private mutating func follow(_ path: String) throws(SystemCallFailure) {
        var ahead = Self.parts(of: path)
        var links = 0
        while let name = ahead.popLast() {
            if name == ".." {
                if stack.count > 1 { stack.removeLast() }
                continue
            }
            let here = try directory
            let next = try Descriptor.open(name, in: here.descriptor, Descriptor.locate | O_NOFOLLOW)
            let point = Point(
                path: (here.point.path == "/" ? "" : here.point.path) + "/" + name, facts: try next.facts())
            if point.facts.isLink {
                links += 1
                guard links <= Self.linkLimit else { throw SystemCallFailure(code: ELOOP) }
                way.append(point)
                let target = try Self.target(of: next)
                if target.hasPrefix("/") { stack.removeSubrange(1...) }
                ahead += Self.parts(of: target)
            } else if point.facts.isDirectory {
                way.append(point)
                stack.append((next, point))
            } else {
                guard ahead.isEmpty else { throw SystemCallFailure(code: ENOTDIR) }
                file = (name, point)
            }
        }
    }

    /// The parts of a path, the last one first.
    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func target(of link: Descriptor) throws(SystemCallFailure) -> String {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, initialized in
            count = buffer.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { readlinkat(link.number, "", $0, characters.count) } ?? 0
            }
            initialized = max(count, 0)
        }
        guard count > 0 else { throw SystemCallFailure() }
        guard let target = String(validating: bytes, as: UTF8.self) else { throw SystemCallFailure(code: EILSEQ) }
        return target
    }

    private static func workingDirectory() throws(SystemCallFailure) -> String {
        guard let path = getcwd(nil, 0) else { throw SystemCallFailure() }
        defer { free(path) }
        return String(cString: path)
    }
}
