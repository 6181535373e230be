// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// A file of the spool by its path. Only plain files are opened, and no link is followed: the carrier writes there too.
struct SpoolFile {
    let path: String

    init(_ path: String) { self.path = path }

    private var folder: String { VaultDirectory.parent(of: path) }
    private var draft: String { "\(folder)/.\(path.dropFirst(folder.count + 1)).partial" }

    /// Writes it under a temporary name, and renames it when it is on the disk.
    func write(_ bytes: [UInt8]) throws(VaultError) {
        let draft = draft
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
        guard rename(draft, path) == 0 else { throw .system(errno, path: path) }
        try VaultDirectory.synchronize(folder)
    }

    /// The bytes; nil where it is no plain file, too large, or unreadable.
    ///
    /// - Parameter most: read no more than the first bytes.
    func read(upTo limit: Int, most: Int = .max) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), most)), count = 0
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

    /// Whether it is a plain file with content.
    var hasContent: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    }

    /// Whether it was settled as one that is not merged.
    var isRejected: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
            && status.st_mode & 0o200 == 0
    }

    /// Replaces it by an empty file; on a full disk it is truncated. Returns whether that was possible.
    ///
    /// - Parameter isRejected: whether it is not merged: then the empty file is read-only, by which a later process knows it.
    func settle(isRejected: Bool) -> Bool {
        let draft = draft, mode: mode_t = isRejected ? 0o400 : 0o600
        unlink(draft)
        var descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        if descriptor >= 0 {
            close(descriptor)
            if rename(draft, path) == 0 { return true }
            unlink(draft)
        }
        descriptor = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        fchmod(descriptor, mode)
        close(descriptor)
        return true
    }

    /// Removes it, and where it is a directory all that is in it, as far as that is possible.
    func removeTree() {
        guard unlink(path) != 0 else { return }
        for name in VaultDirectory.names(in: path) {
            var status = stat()
            let entry = SpoolFile("\(path)/\(name)")
            guard lstat(entry.path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { entry.removeTree() } else { unlink(entry.path) }
        }
        rmdir(path)
    }

    /// The names of files in a folder that are of the form.
    static func names(in folder: String) -> [SyncFileName] {
        VaultDirectory.names(in: folder).compactMap { text in
            SyncFileName(text).flatMap { "\($0)" == text ? $0 : nil }
        }
    }
}
