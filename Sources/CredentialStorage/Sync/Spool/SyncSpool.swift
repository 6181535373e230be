// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// The directory that this machine shares with the carrier. `out/GROUP/DEVICE/NAME` is what the folder is to have of this machine, and
/// written here alone; `in/GROUP/DEVICE/NAME` is what the folder has besides, and written by the carrier: see
/// `SyncSpool+Received.swift`.
package struct SyncSpool: Sendable {
    package let path: String

    package init(at path: String) { self.path = path }

    /// Makes it, private to the user.
    package func make() throws(VaultError) {
        for folder in [path, path + "/out", path + "/in"] { try Self.makeFolder(folder) }
    }

    /// Where the files of a machine are put for the carrier.
    package func directory(of device: DeviceID, in group: GroupID) -> String {
        "\(path)/out/\(group.hexadecimal)/\(device.hexadecimal)"
    }

    /// Writes a file under a temporary name, and renames it when it is on the disk. One that is there already has the same content,
    /// as its name has the hash.
    package func write(
        _ name: SyncFileName, _ bytes: [UInt8], of device: DeviceID, in group: GroupID
    ) throws(VaultError) {
        try write("\(name)", bytes, of: device, in: group)
    }

    /// The files of a machine that are put out.
    package func names(of device: DeviceID, in group: GroupID) -> [SyncFileName] {
        SpoolFile.names(in: directory(of: device, in: group))
    }

    /// The bytes of such a file; nil where it is no plain file, too large, or unreadable.
    package func read(_ name: SyncFileName, of device: DeviceID, in group: GroupID) -> [UInt8]? {
        SpoolFile("\(directory(of: device, in: group))/\(name)").read(upTo: SyncFileLimits.fileBytes)
    }

    /// Removes such a file: the carrier removes it from the folder. One that cannot be removed is found again.
    package func remove(_ name: SyncFileName, of device: DeviceID, in group: GroupID) {
        unlink("\(directory(of: device, in: group))/\(name)")
    }

    /// Removes all that was put out of a machine.
    package func removeAll(of device: DeviceID, in group: GroupID) {
        SpoolFile(directory(of: device, in: group)).removeTree()
    }

    /// Removes all that was put out and all that was received.
    package func removeAll() {
        for folder in ["out", "in"] { SpoolFile("\(path)/\(folder)").removeTree() }
    }

    // MARK: - Invitations

    /// Puts an invitation of this machine into the folder.
    package func putInvitation(
        _ invitation: [UInt8], id: UInt128, of device: DeviceID, in group: GroupID
    ) throws(VaultError) {
        try write(Self.invitation(id), invitation, of: device, in: group)
    }

    /// Removes the invitations of this machine, but for one: they are used, or expired.
    package func removeInvitations(of device: DeviceID, in group: GroupID, besides id: UInt128? = nil) {
        let folder = directory(of: device, in: group), kept = id.map(Self.invitation)
        for name in VaultDirectory.names(in: folder) where name.hasSuffix(".invitation") && name != kept {
            unlink("\(folder)/\(name)")
        }
    }

    /// Removes one invitation of this machine.
    package func removeInvitation(_ id: UInt128, of device: DeviceID, in group: GroupID) {
        unlink("\(directory(of: device, in: group))/\(Self.invitation(id))")
    }

    private static func invitation(_ id: UInt128) -> String { id.hexadecimal + ".invitation" }

    /// Puts the answer of this machine, no member yet, into the folder.
    package func putAnswer(
        _ answer: [UInt8], id: UInt128, of device: DeviceID, in group: GroupID
    ) throws(VaultError) {
        try write(id.hexadecimal + ".answer", answer, of: device, in: group)
    }

    /// Removes the answers of this machine.
    package func removeAnswers(of device: DeviceID, in group: GroupID) {
        let folder = directory(of: device, in: group)
        for name in VaultDirectory.names(in: folder) where name.hasSuffix(".answer") { unlink("\(folder)/\(name)") }
    }

    private func write(
        _ name: String, _ bytes: [UInt8], of device: DeviceID, in group: GroupID
    ) throws(VaultError) {
        let folder = directory(of: device, in: group)
        try make()
        for folder in ["\(path)/out/\(group.hexadecimal)", folder] { try Self.makeFolder(folder) }
        try SpoolFile("\(folder)/\(name)").write(bytes)
    }

    /// Makes a folder that is missing, private to the user.
    private static func makeFolder(_ folder: String) throws(VaultError) {
        if mkdir(folder, 0o700) == 0 {
            try VaultDirectory.synchronize(VaultDirectory.parent(of: folder))
        } else if errno != EEXIST {
            throw .system(errno, path: folder)
        }
    }
}
