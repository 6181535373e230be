// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import FoundationEssentials
import Glibc

/// Copies of the user's keyrings in a private folder. The original files are only read.
struct KeyringCopies {
    struct File {
        /// Its name without `.keyring`.
        let name: String
        /// The name of the copy, which becomes the last component of its collection's path.
        let token: String
        /// Whether it is stored in plain text, without a password.
        let isPlain: Bool
    }

    /// The most bytes of a keyring.
    private static let longest = 64 * 1024 * 1024

    let folder: String
    let files: [File]
    /// Files that are no keyrings, each with its problem.
    let problems: [ReadKeyring]

    /// gnome-keyring's directory.
    static func directory(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/keyrings" }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it")
        }
        return "\(home)/.local/share/keyrings"
    }

    /// Copies them.
    ///
    /// - Parameter selected: the names of the requested keyrings; empty for all.
    init(of directory: String, only selected: [String], _ environment: ProcessEnvironment) throws(CommandFailure) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
            .filter { $0.hasSuffix(".keyring") }.map { String($0.dropLast(8)) }.sorted()
        guard !names.isEmpty else {
            throw CommandFailure(
                .noInput, "There is no keyring in \(directory.printable)",
                fix: "Run this as the user that you log in as, or name the folder: --keyrings PATH")
        }
        if let missing = selected.first(where: { !names.contains($0) }) {
            throw CommandFailure(
                .noInput, "There is no keyring \(missing.quoted) in \(directory.printable)",
                fix: "Name one of: \(names.map(\.printable).joined(separator: ", "))")
        }
        folder = try Self.makeFolder(environment)
        var (files, problems): ([File], [ReadKeyring]) = ([], [])
        do {
            try FileManager.default.createDirectory(
                atPath: folder + "/data/keyrings", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            for name in names where selected.isEmpty || selected.contains(name) {
                let path = "\(directory)/\(name).keyring"
                let bytes: Data
                do throws(Unreadable) { bytes = try Self.read(path) } catch {
                    problems.append(.unreadable(name, path, error.why, fix: error.fix))
                    continue
                }
                let file = File(name: name, token: "k\(files.count)", isPlain: bytes.starts(with: "[keyring]".utf8))
                try bytes.write(to: URL(filePath: "\(folder)/data/keyrings/\(file.token).keyring"))
                files.append(file)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw CommandFailure(.system, "The keyrings cannot be copied to \(folder): \(error)")
        }
        (self.files, self.problems) = (files, problems)
    }

    private struct Unreadable: Error {
        let why: String
        var fix = "Check its owner and its mode"
    }

    /// A file that is no plain file, or is too large, is not read at all.
    private static func read(_ path: String) throws(Unreadable) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(why: "cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Unreadable(why: "is not a plain file")
        }
        guard status.st_size <= longest else {
            throw Unreadable(
                why: "has more than \(longest >> 20) MiB", fix: "No keyring is so large: check the file")
        }
        var bytes = Data(count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw Unreadable(why: "cannot be read") }
        return bytes
    }

    /// In the runtime directory, which is in memory; else with the temporary files.
    private static func makeFolder(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        for parent in [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"] {
            // A socket's path must fit (unix(7)).
            guard let parent, parent.hasPrefix("/"), parent.utf8.count < 64 else { continue }
            if let made = TemporaryFolder.make(in: parent, named: "autofill-import") { return made }
        }
        throw CommandFailure(
            .system, "No folder can be made in $XDG_RUNTIME_DIR, $TMPDIR or /tmp", fix: "Free space in one of them")
    }
}

extension ReadKeyring {
    /// A keyring that cannot be opened.
    static func unreadable(_ name: String, _ file: String, _ why: String, fix: String) -> ReadKeyring {
        ReadKeyring(
            name: name, file: file, items: nil,
            problem: CommandFailure.Problem(
                code: nil, message: "The keyring \(name.quoted) (\(file.printable)) \(why)", fix: fix))
    }
}
