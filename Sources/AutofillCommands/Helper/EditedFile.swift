// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A configuration file of another program, read completely and replaced in one step. A symbolic link (of a dotfile
/// manager) stays a symbolic link.
struct EditedFile {
    static let backupSuffix = ".before-autofill"

    /// Its path, with links resolved.
    let path: String
    /// Empty if there is no file yet.
    let bytes: [UInt8]
    /// nil if there is no file yet.
    private let mode: mode_t?

    init(_ path: String) throws(CommandFailure) {
        self.path = Self.resolved(path)
        let descriptor = open(self.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Self.failure(path) }
            (bytes, mode) = ([], nil)
            return
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size < 1 << 24 else {
            throw CommandFailure(.badData, "\(path) is not a regular file")
        }
        mode = facts.st_mode & 0o7777
        var read = [UInt8](repeating: 0, count: Int(facts.st_size))
        let count = read.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count == read.count else { throw Self.failure(path) }
        bytes = read
    }

    /// Replaces the content atomically; a copy of the old file is kept beside it.
    ///
    /// - Returns: the copy's path; nil if there was no file.
    func replace(with new: [UInt8]) throws(CommandFailure) -> String? {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        if mode == nil { mkdir(directory, 0o700) }
        let backup = path + Self.backupSuffix
        if mode != nil { try write(bytes, to: backup) }
        try write(new, to: path)
        return mode == nil ? nil : backup
    }

    private func write(_ bytes: [UInt8], to target: String) throws(CommandFailure) {
        let draft = "\(target).new-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode ?? 0o600)
        guard descriptor >= 0 else { throw Self.failure(target) }
        let isWritten = bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let unwritten = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.write(descriptor, unwritten.baseAddress, unwritten.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return fchmod(descriptor, mode ?? 0o600) == 0 && fsync(descriptor) == 0
        }
        close(descriptor)
        guard isWritten, rename(draft, target) == 0 else {
            let failure = Self.failure(target)
            unlink(draft)
            throw failure
        }
    }

    /// Where a link to a file that does not exist yet leads, it is created.
    private static func resolved(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        if realpath(path, &buffer) != nil { return buffer.withUnsafeBufferPointer { text($0) } }
        buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(path, &buffer, Int(PATH_MAX)) > 0 else { return path }
        let target = buffer.withUnsafeBufferPointer { text($0) }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return target.hasPrefix("/") ? target : directory + target
    }

    private static func text(_ path: UnsafeBufferPointer<CChar>) -> String {
        String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.system, "\(path): \(String(cString: strerror(errno)))")
    }
}
