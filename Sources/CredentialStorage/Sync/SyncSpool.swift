// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// The directory in which this machine's files are put for the carrier: `GROUP/DEVICE/NAME`.
package struct SyncSpool: Sendable {
    package let path: String

    package init(at path: String) { self.path = path }

    /// Where the files of a machine are.
    package func directory(of device: DeviceID, in group: GroupID) -> String {
        "\(path)/\(Self.hexadecimal(group.rawValue))/\(Self.hexadecimal(device.rawValue))"
    }

    /// Writes a file under a temporary name, and renames it when it is on the disk. One that is there already has the same content,
    /// as its name has the hash.
    package func write(
        _ name: SyncFileName, _ bytes: [UInt8], of device: DeviceID, in group: GroupID
    ) throws(VaultError) {
        let folder = directory(of: device, in: group)
        try make(folder)
        let draft = "\(folder)/.\(name).partial"
        try VaultDirectory.remove(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: draft) }
        do throws(VaultError) {
            defer { close(descriptor) }
            var start = 0
            while start < bytes.count {
                let count = bytes.withUnsafeBytes { memory in
                    Glibc.write(descriptor, memory.baseAddress?.advanced(by: start), memory.count - start)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .system(errno, path: draft) }
                start += count
            }
            guard fsync(descriptor) == 0 else { throw .system(errno, path: draft) }
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, "\(folder)/\(name)") == 0 else { throw .system(errno, path: folder) }
        try VaultDirectory.synchronize(folder)
    }

    /// Makes the folders that are missing, private to the user.
    private func make(_ folder: String) throws(VaultError) {
        for folder in [path, String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)]), folder] {
            if mkdir(folder, 0o700) == 0 {
                try VaultDirectory.synchronize(
                    String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]) + "/")
            } else if errno != EEXIST {
                throw .system(errno, path: folder)
            }
        }
    }

    private static func hexadecimal(_ number: UInt128) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
