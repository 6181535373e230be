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

    /// The files of a machine that have names of the form.
    func names(of device: DeviceID, in group: GroupID) -> [SyncFileName] {
        VaultDirectory.names(in: directory(of: device, in: group)).compactMap { text in
            SyncFileName(text).flatMap { "\($0)" == text ? $0 : nil }
        }
    }

    /// The bytes of a file; nil where it is no plain file, too large, or unreadable.
    func read(_ name: SyncFileName, of device: DeviceID, in group: GroupID) -> [UInt8]? {
        let path = "\(directory(of: device, in: group))/\(name)"
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= SyncFileLimits.fileBytes
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size)), count = 0
        while count < bytes.count {
            let done = bytes.withUnsafeMutableBytes { memory in
                Glibc.read(descriptor, memory.baseAddress?.advanced(by: count), memory.count - count)
            }
            if done < 0, errno == EINTR { continue }
            guard done > 0 else { return nil }
            count += done
        }
        return bytes
    }

    /// Removes a file. One that cannot be removed is found again.
    func remove(_ name: SyncFileName, of device: DeviceID, in group: GroupID) {
        unlink("\(directory(of: device, in: group))/\(name)")
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
