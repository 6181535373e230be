// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import FoundationEssentials
import Glibc

/// Copies of the person's keyrings in a folder of their own, which nobody else can read. The files that are copied are only read.
struct KeyringCopies {
    struct File {
        /// Its name without `.keyring`.
        let name: String
        /// What the copy is called: the last part of its collection's path, then.
        let token: String
        /// Whether it is kept in plain text, and no password opens it.
        let isPlain: Bool
    }

    /// Bytes of a keyring at most.
    private static let longest = 64 * 1024 * 1024

    let folder: String
    let files: [File]
    /// Files that are no keyrings, and what is wrong with each.
    let problems: [ReadKeyring]

    /// Where gnome-keyring keeps them.
    static func directory(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/keyrings" }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it")
        }
        return "\(home)/.local/share/keyrings"
    }

    /// Copies them.
    ///
    /// - Parameter wanted: the names of those that are wanted; all where it is empty.
    init(of directory: String, wanted: [String], _ environment: ProcessEnvironment) throws(CommandFailure) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
            .filter { $0.hasSuffix(".keyring") }.map { String($0.dropLast(8)) }.sorted()
        guard !names.isEmpty else {
            throw CommandFailure(
                .noInput, "There is no keyring in \(directory.printable)",
                fix: "Run this as whom you log in, or name their folder: --keyrings PATH")
        }
        if let missing = wanted.first(where: { !names.contains($0) }) {
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
            for name in names where wanted.isEmpty || wanted.contains(name) {
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
        var fix = "Look at its owner and its mode"
    }

    /// What is no plain file, or too large, is not read at all.
    private static func read(_ path: String) throws(Unreadable) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(why: "cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Unreadable(why: "is no plain file")
        }
        guard status.st_size <= longest else {
            throw Unreadable(
                why: "has over \(longest >> 20) MiB", fix: "No keyring is as large: see whether it is one")
        }
        var bytes = Data(count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw Unreadable(why: "cannot be read") }
        return bytes
    }

    /// In the runtime directory, which is in memory; else with the temporary files.
    private static func makeFolder(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        for place in [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"] {
            // A socket is to have a path in it (unix(7)).
            guard let place, place.hasPrefix("/"), place.utf8.count < 64 else { continue }
            if let made = TemporaryFolder.make(in: place, named: "autofill-import") { return made }
        }
        throw CommandFailure(
            .system, "No folder can be made in $XDG_RUNTIME_DIR, $TMPDIR or /tmp", fix: "Make room in one of them")
    }
}

extension ReadKeyring {
    /// One that stays closed.
    static func unreadable(_ name: String, _ file: String, _ why: String, fix: String) -> ReadKeyring {
        ReadKeyring(
            name: name, file: file, items: nil,
            problem: CommandFailure.Problem(
                code: nil, message: "The keyring \(name.quoted) (\(file.printable)) \(why)", fix: fix))
    }
}
