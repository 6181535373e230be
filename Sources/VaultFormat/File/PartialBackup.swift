// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SecretMemory

/// The names of unfinished backups, which a killed daemon leaves. A vault makes one at a time, and one daemon has it:
/// when the vault in a name begins another, nothing writes to such a file.
package enum PartialBackup {
    private static let prefix = ".autofilld-"
    private static let suffix = ".partial"

    /// What distinguishes a vault from others in such names: the lowest bits of its directory's inode number.
    package static func owner(_ home: VaultDirectory) -> UInt32? {
        var status = stat()
        return stat(home.path, &status) == 0 ? UInt32(truncatingIfNeeded: status.st_ino) : nil
    }

    /// A fresh name; nil is for a vault in memory.
    package static func name(madeBy owner: UInt32?) -> String {
        let number = SystemEntropy().next()
        return prefix + digits(owner ?? UInt32(number >> 32)) + digits(UInt32(truncatingIfNeeded: number)) + suffix
    }

    private static func digits(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    static func isOne(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Removes those of a folder that are plain files of this user, and were made by the same vault, or last written to before
    /// `limit`, in seconds since 1970: of a folder that others use too, only what nobody can be working on.
    package static func removeStale(in folder: String, before limit: Int, madeBy owner: UInt32?) {
        let own = owner.map { prefix + digits($0) }
        for name in VaultDirectory.names(in: folder) where isOne(name) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                status.st_mtim.tv_sec < limit || own.map({ name.hasPrefix($0) }) ?? false
            else { continue }
            try? VaultDirectory.removeDatabase(path)
        }
    }
}
