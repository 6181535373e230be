// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection
package import PeerIdentity

extension PeerInspector {
    /// The present files at the paths that a registration names. A file that a program of the user's serves (FUSE) is
    /// not inspected.
    package func registered(_ paths: [String]) -> [RegisteredExecutable] {
        paths.map { path in
            let name = PrintableBytes.text(path.utf8)
            let walk: PathWalk
            do throws(SystemCallFailure) {
                walk = try PathWalk(toAbsolute: path)
            } catch {
                return RegisteredExecutable(
                    path: name, identity: nil, isRootOwned: false, isServed: error == .served)
            }
            let facts = walk.end.point.facts
            guard facts.isRegular else { return RegisteredExecutable(path: name, identity: nil, isRootOwned: false) }
            // The first 11 bytes: enough for `#!`, and for the mark of an AppImage in the padding of an ELF header.
            let start = (try? walk.end.descriptor.openedForReading().read(atMost: 11)) ?? []
            return RegisteredExecutable(
                path: name, target: PrintableBytes.text(walk.end.point.path.utf8),
                identity: ExecutableIdentity(facts), isRootOwned: walk.isRootsAlone,
                isScript: start.starts(with: Array("#!".utf8)), isBinary: start.starts(with: [0x7F, 0x45, 0x4C, 0x46]),
                isAppImage: start.count == 11 && start[8] == UInt8(ascii: "A") && start[9] == UInt8(ascii: "I"),
                changed: facts.changed)
        }
    }

    /// The path, free of links, of the regular file that a path leads to; nil unless only root determines it: the file
    /// and everything on the way is root's.
    package static func rootOwnedFile(at path: String) -> String? {
        guard let walk = try? PathWalk(toAbsolute: path), walk.isRootsAlone else { return nil }
        let end = walk.end.point
        return end.facts.isRegular ? end.path : nil
    }
}

extension PathWalk {
    /// Walks to a path from the root, except where a program of the user's serves it.
    init(toAbsolute path: String) throws(SystemCallFailure) {
        guard path.hasPrefix("/") else { throw SystemCallFailure(code: ENOENT) }
        try self.init(to: path.utf8, entersServed: false)
    }
}
