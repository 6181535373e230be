// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import Credentials
internal import Glibc

/// Making, copying and removing the files of a vault.
extension VaultDirectory {
    /// Makes a new file, 0600 whatever the umask, instead of a left-over one.
    package static func makeEmptyFile(_ path: String) throws(VaultError) {
        try removeDatabase(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
    }

    /// Removes a draft, also one that was renamed to the vault, with its release log.
    package func remove(_ made: FileIdentity?) {
        if let made, made == FileIdentity(of: database) {
            try? Self.remove(releaseLog)
            try? Self.removeDatabase(database)
        }
        try? Self.removeDatabase(draft)
    }

    /// Removes a database and what SQLite keeps beside it.
    package static func removeDatabase(_ path: String) throws(VaultError) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try remove(path + suffix) }
    }

    /// Copies the content of a plain file to an existing one.
    package static func copyContent(
        of source: String, to destination: String, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) {
        let input = Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard input >= 0 else { throw .system(errno, path: source) }
        defer { Glibc.close(input) }
        let output = Glibc.open(destination, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw .system(errno, path: destination) }
        defer { Glibc.close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try progress.checkStop()
            let count = Glibc.read(input, &buffer, buffer.count)
            guard count >= 0 else { throw .system(errno, path: source) }
            guard count > 0 else { return }
            try write(buffer.prefix(count), to: output, at: destination)
        }
    }

    /// Writes bytes to an existing file.
    package static func write(_ bytes: [UInt8], to path: String) throws(VaultError) {
        let output = Glibc.open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw .system(errno, path: path) }
        defer { Glibc.close(output) }
        try write(bytes[...], to: output, at: path)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32, at path: String) throws(VaultError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(count < 0 ? errno : ENOSPC, path: path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives a file another name, never one that a file has: also one that has appeared in the meantime.
    package static func publish(_ path: String, as name: String) throws(VaultError) {
        let status = af_rename_new(path, name)
        guard status == 0 else { throw status == -EEXIST ? .fileExists(path: name) : .system(-status, path: name) }
    }

    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
