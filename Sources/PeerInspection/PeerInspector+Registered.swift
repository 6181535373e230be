// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
package import PeerIdentity

extension PeerInspector {
    /// The files that lie at the paths a registration names, as they are now.
    package func registered(_ paths: [String]) -> [RegisteredExecutable] {
        paths.map { path in
            let name = PrintableBytes.text(path.utf8)
            guard let walk = PathWalk(path.utf8), walk.file.isRegular else {
                return RegisteredExecutable(path: name, identity: nil, isRootOwned: false)
            }
            let start = Self.start(of: path)
            return RegisteredExecutable(
                path: name, identity: ExecutableIdentity(walk.file), isRootOwned: walk.isRootOwned,
                isScript: start.starts(with: Array("#!".utf8)),
                isAppImage: start.count == 11 && start[8] == UInt8(ascii: "A") && start[9] == UInt8(ascii: "I"),
                changed: walk.file.changed)
        }
    }

    /// Whether a regular file lies at a path, and root alone decides which: the file and everything on the way is root's.
    package static func isRootOwnedFile(_ path: String) -> Bool {
        PathWalk(path.utf8).map { $0.isRootOwned && $0.file.isRegular } ?? false
    }

    /// The first 11 bytes: enough for `#!`, and for the mark of an AppImage in the padding of an ELF header.
    private static func start(of path: String) -> [UInt8] {
        let opened = af_open_read(AT_FDCWD, path, true)
        guard opened >= 0 else { return [] }
        let file = OpenFile(descriptor: opened)
        return [UInt8](unsafeUninitializedCapacity: 11) { buffer, count in
            count = max(0, af_read(file.descriptor, buffer.baseAddress, 11))
        }
    }
}
