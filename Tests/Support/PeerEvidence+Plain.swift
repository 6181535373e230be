// SPDX-License-Identifier: Apache-2.0
package import PeerIdentity

extension PeerEvidence {
    /// An ordinary program of the user, outside any sandbox.
    package static let plainProcess = process(path: "/home/user/app", inode: 7)

    /// A program of the user at this path.
    package static func process(path: String, inode: UInt64) -> PeerEvidence {
        PeerEvidence(
            process: Int32(4235 + inode), user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(
                ExecutableFile(
                    path: path, identity: ExecutableIdentity(device: 1, inode: inode, size: 100, modified: 5),
                    owner: 1000,
                    location: .userOwned)),
            controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: "boot/session")
    }
}

extension PeerEvidence {
    /// A program that root owns, outside any sandbox.
    package static let systemProgram = systemProgram(inode: 9)

    package static func systemProgram(inode: UInt64) -> PeerEvidence {
        PeerEvidence(
            process: 4243, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(
                ExecutableFile(
                    path: "/usr/bin/shop",
                    identity: ExecutableIdentity(device: 1, inode: inode, size: 100, modified: 5), owner: 0,
                    location: .rootOwned)),
            controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: "boot/session")
    }

    /// A script: what runs is its interpreter.
    package static let interpreter = interpreter(.rootOwned)

    package static func interpreter(
        _ place: ExecutableFile.Location, login: String = "boot/session"
    ) -> PeerEvidence {
        PeerEvidence(
            process: 4244, user: 1000, group: 1000, isPinned: true, startTime: 1,
            executable: .file(
                ExecutableFile(
                    path: "/usr/bin/python3.11",
                    identity: ExecutableIdentity(device: 1, inode: 11, size: 100, modified: 5), owner: 0,
                    location: place,
                    interpreter: Interpreter(fileName: "python3.11"))),
            controlGroup: nil, sandbox: .none, mountNamespaceDiffers: false, login: login)
    }
}
