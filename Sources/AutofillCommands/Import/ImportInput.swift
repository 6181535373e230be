// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

/// What is imported: a file, or what the directory of a browser's profile or of a store of `pass` has.
final class ImportInput {
    /// A store of `pass`; nil for a file.
    let store: PassStore?
    /// The file; -1 for a store.
    let descriptor: Int32
    /// The file with the key of the file.
    let keyFile: String?
    /// Whether it is a file with passwords in the clear, made for an import.
    var isPlain = false
    /// Of a profile of Chromium, whose key is in the Secret Service.
    private let profile: String?
    /// The second database of that profile, which has what was saved to the user's account alone; nil where there is none.
    let further: String?

    init(_ path: String) throws(CommandFailure) {
        let (database, second) = ("/Login Data", "/Login Data For Account")
        guard Self.isDirectory(path) else {
            let end = [database, second].first(where: path.hasSuffix)
            profile = end.map { String(path.dropLast($0.count)) }
            further = end == database ? profile.flatMap { Self.existing($0 + second) } : nil
            (store, keyFile, isPlain) = (nil, nil, profile == nil)
            descriptor = try Self.open(path)
            return
        }
        let (chromium, logins, key) = (path + database, "\(path)/logins.json", "\(path)/key4.db")
        further = Self.existing(path + second)
        if access(logins, F_OK) == 0 {
            try Self.checkJournal(of: key)
            (store, keyFile, profile) = (nil, key, nil)
            descriptor = try Self.open(logins)
        } else if access(chromium, F_OK) == 0 {
            (store, keyFile, profile) = (nil, nil, path)
            descriptor = try Self.open(chromium)
        } else if access("\(path)/.gpg-id", F_OK) == 0 {
            (store, keyFile, profile, descriptor) = (try PassStore(path), nil, nil, -1)
        } else {
            throw CommandFailure(
                .noInput, "\(path.printable) is neither a browser's profile nor a store of pass",
                fix: "Name the profile itself: about:profiles in Firefox and chrome://version in Chromium show it")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// To read it from its beginning.
    func rewind() throws(CommandFailure) {
        guard store != nil || lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw CommandFailure(.noInput, "The file cannot be read again")
        }
    }

    /// What opens it: from the Secret Service, or from the user.
    ///
    /// - Parameter name: the user's name of it.
    func password(of name: String) throws(CommandFailure) -> SecretBytes {
        isPlain = false
        if let profile { return try BrowserKey.find(of: profile) }
        return try HiddenInput.ask(
            "Password of \(name.printable): ", limit: Limits.passphraseBytes, elsewhere: "Add --file-password-fd N")
    }

    private static func existing(_ path: String) -> String? { access(path, F_OK) == 0 ? path : nil }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw CommandFailure(.noInput, "\(path.printable) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CommandFailure(.noInput, "\(path.printable) is not a plain file")
        }
        try checkJournal(of: path)
        return descriptor
    }

    /// A database is read without the journal beside it, in which the last changes are while a browser runs.
    private static func checkJournal(of path: String) throws(CommandFailure) {
        for end in ["-journal", "-wal"] {
            var status = stat()
            guard stat(path + end, &status) == 0, status.st_size > 0 else { continue }
            throw CommandFailure(
                .refused, "\(path.printable) is in use",
                fix: "Close the browser, and run the command again")
        }
    }
}
