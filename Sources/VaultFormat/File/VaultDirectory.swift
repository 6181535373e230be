// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc

/// The files of a vault on disk. The directory is 0700 and the files 0600 whatever the umask.
package struct VaultDirectory: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var database: String { path + "/vault.sqlite" }
    /// The vault while it is being made or restored; renamed when it is whole.
    package var draft: String { path + "/vault.sqlite.new" }
    var lockFile: String { path + "/vault.lock" }
    /// Entries of the release log that are not in the database yet.
    package var releaseLog: String { path + "/vault.releases" }
    package var backups: String { path + "/backups" }
    /// Vaults that a restore or a rebuild took out of use.
    package var replaced: String { path + "/replaced" }

    /// Makes the directory and its parents durably where they are missing, and closes it to others where it is open.
    ///
    /// - Returns: whether others could write to it until now.
    @discardableResult
    package func make() throws(VaultError) -> Bool { try Self.make(path) }

    @discardableResult
    package static func make(_ path: String) throws(VaultError) -> Bool {
        var prefix = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            let parent = prefix.isEmpty ? "/" : prefix
            prefix += "/" + component
            if mkdir(prefix, 0o700) == 0 {
                // A parent that may be written to but not read cannot be synced.
                do throws(VaultError) { try synchronize(parent) } catch .permissionLost {}
                continue
            }
            let number = errno
            // A parent that exists may also answer EACCES or EROFS: the last component decides.
            var status = stat()
            guard number == EEXIST || stat(prefix, &status) == 0 else { throw .system(number, path: prefix) }
        }
        return try close(path, mode: 0o700)
    }

    /// Removes the permissions of group and others on `path`.
    ///
    /// - Returns: whether others could write to it until now.
    @discardableResult
    static func close(_ path: String, mode: mode_t) throws(VaultError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno, path: path) }
        guard status.st_mode & 0o7777 != mode else { return false }
        guard chmod(path, mode) == 0 else { throw .system(errno, path: path) }
        return status.st_mode & 0o022 != 0
    }

    /// Whether a vault is here. A directory that may not be searched is an error, not an absence.
    package func hasVault() throws(VaultError) -> Bool {
        var status = stat()
        if stat(database, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(errno, path: database) }
        return false
    }

    /// Checks that the file begins as a vault does, before SQLite opens, and perhaps changes, what is none.
    package func checkHeader() throws(VaultError) { try Self.checkHeader(database) }

    package static func checkHeader(_ database: String) throws(VaultError) {
        // What is no plain file must not be waited for: a FIFO has no byte 0.
        let descriptor = open(database, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(errno, path: database) }
        defer { Glibc.close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let expected = withUnsafeBytes(of: VaultSchema.applicationID.bigEndian) { Array($0) }
        guard pread(descriptor, &header, header.count, 0) == header.count,
            header.starts(with: "SQLite format 3\0".utf8), Array(header[68..<72]) == expected
        else { throw .notAVault(path: database) }
    }

    /// Makes renames and new names in the directory durable.
    package func synchronize() throws(VaultError) { try Self.synchronize(path) }

    /// fsync of a file or directory by its path.
    package static func synchronize(_ path: String) throws(VaultError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(errno, path: path) }
    }

    /// Renames over whatever has the new name, durably.
    package func rename(_ old: String, to new: String) throws(VaultError) {
        guard Glibc.rename(old, new) == 0 else { throw .system(errno, path: new) }
        try synchronize()
    }

    /// The names in a folder, in no order; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                UnsafeRawPointer(field).withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether there is anything at a path, also a link to nothing.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Removes a file; its absence is no error.
    package static func remove(_ path: String) throws(VaultError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno, path: path) }
    }
}

/// Which file a path names at this moment.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// nil where nothing is at the path.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

/// What a database file is like at this moment: an older one that was copied over it is another one.
struct FileState: Hashable, Sendable {
    private let identity: FileIdentity
    private let length: Int
    private let changed: [Int]
    private let hasLog: Bool

    /// nil where nothing is at the path.
    init?(of path: String) {
        var status = stat()
        guard let identity = FileIdentity(of: path), stat(path, &status) == 0 else { return nil }
        self.identity = identity
        length = Int(status.st_size)
        changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        hasLog = FileIdentity(of: path + "-wal") != nil
    }
}
