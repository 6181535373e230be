// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PeerIdentity

/// Where a path leads, and whether root alone decides that.
struct PathWalk {
    let file: af_file
    /// Root owns the file, every directory on the way and every symbolic link followed, and neither group nor others may
    /// write to any of them. (An access list shows as the group's permission.)
    let isRootOwned: Bool

    /// Follows an absolute path part by part; nil when it leads nowhere.
    init?(_ path: some Collection<UInt8>) {
        guard path.first == Self.slash, !path.contains(0), let root = Self.status([]) else { return nil }
        var pending = Self.parts(of: path)
        var current: [UInt8] = []
        var isRootOwned = Self.isRoots(root)
        var links = 0
        while let part = pending.popLast() {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                current.removeLast(current.count - (current.lastIndex(of: Self.slash) ?? 0))
                continue
            }
            let next = current + [Self.slash] + part
            guard let status = Self.status(next) else { return nil }
            isRootOwned = isRootOwned && Self.isRoots(status)
            if status.isSymbolicLink {
                links += 1
                guard links <= 40, let target = Self.target(of: next) else { return nil }
                if target.first == Self.slash { current = [] }
                pending += Self.parts(of: target)
            } else {
                current = next
            }
        }
        guard let file = Self.status(current) else { return nil }
        self.file = file
        self.isRootOwned = isRootOwned
    }

    private static let slash = UInt8(ascii: "/")

    /// The parts of a path, last first.
    private static func parts(of path: some Collection<UInt8>) -> [[UInt8]] {
        path.split(separator: slash).map { Array($0) }.reversed()
    }

    private static func isRoots(_ file: af_file) -> Bool {
        file.owner == 0 && (file.isSymbolicLink || file.mode & 0o022 == 0)
    }

    private static func status(_ path: [UInt8]) -> af_file? {
        var file = af_file()
        return af_stat_at(AT_FDCWD, path.isEmpty ? [slash, 0] : path + [0], false, &file) == 0 ? file : nil
    }

    private static func target(of path: [UInt8]) -> [UInt8]? {
        var length = 0
        let target = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            length = af_read_link(AT_FDCWD, path + [0], buffer.baseAddress, buffer.count)
            count = max(0, length)
        }
        return length > 0 ? target : nil
    }
}
