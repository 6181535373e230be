// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PathInspection

/// The bare repository in the spool, and the remote one: a branch for each device, each of which is one commit without a
/// parent.
struct GitRepository {
    private let git: GitProgram
    private let location: GitLocation

    /// How long a transfer may last.
    private static let transferSeconds: Int32 = 600
    private static let branches = "refs/heads/autofilld/"
    /// Where the remote's branches are in the spool.
    private static let fetched = "refs/carried/"
    /// Of a repository by path this machine runs the other side, too: no program that its own configuration names, and no
    /// file of the user's.
    private static let withoutPrograms = [
        "core.hooksPath=/dev/null", "core.alternateRefsCommand=true", "core.attributesFile=/dev/null",
    ]

    private static func local(_ settings: [String]) -> String {
        "git" + settings.map { " -c " + $0 }.joined()
    }

    init(at path: String, location: GitLocation) {
        git = GitProgram(repository: path)
        self.location = location
    }

    struct Branch {
        let group: String
        let device: String
        let commit: String
    }

    struct Entry {
        let name: CarriedFileName
        let blob: String
        let byteCount: UInt64
    }

    /// Makes the repository in the spool where it is missing, or where a full disk or a power cut left only some of it.
    func prepare() throws(GitFailure) {
        if try !isComplete {
            // `git init` keeps the files that there are, and fails where one is locked.
            for name in ["HEAD", "HEAD.lock", "config", "config.lock"] { unlink("\(git.repository)/\(name)") }
            _ = try git.run(["init", "--quiet", "--bare", "--template=", git.repository])
        }
        do throws(SystemCallFailure) {
            try removeLocks()
            try git.configureSSH()
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be written: \(error.message)")
        }
    }

    /// Removes what a power cut, or a git that was killed, has left: git would fail for good. No git runs, and no other program uses
    /// the repository.
    private func removeLocks() throws(SystemCallFailure) {
        let directory = try Descriptor.folder(git.repository)
        for name in ["packed-refs.lock", "packed-refs.new", "gc.pid.lock"] { try directory.removeFile(name) }
        try directory.subdirectory("objects")?.removeFile("maintenance.lock")
        guard let fetched = try directory.subdirectory("refs")?.subdirectory("carried") else { return }
        for group in try fetched.identifiers() {
            let branches = try fetched.subdirectory(group)
            for name in try branches?.names(where: { $0.hasSuffix(".lock") }) ?? [] { try branches?.removeFile(name) }
        }
    }

    private var isComplete: Bool {
        get throws(GitFailure) {
            do throws(SystemCallFailure) {
                let directory = try Descriptor.folder(git.repository)
                for name in ["HEAD", "config"] {
                    guard let facts = try directory.plainFacts(name), facts.size > 0 else { return false }
                }
                for name in ["objects", "refs"] {
                    guard try directory.subdirectory(name) != nil else { return false }
                }
                return true
            } catch {
                if error.isMissing { return false }
                throw GitFailure(text: "the spool of autofilld cannot be read: \(error.message)")
            }
        }
    }

    /// Brings the remote's branches.
    ///
    /// - Parameter group: nil: those of all groups.
    func fetch(_ group: String?) throws(GitFailure) {
        let branches = group.map { $0 + "/*" } ?? "*"
        var arguments = ["fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head"]
        if location.isLocal { arguments.append("--upload-pack=\(Self.local(Self.withoutPrograms)) upload-pack") }
        arguments += ["--", location.url, "+\(Self.branches)\(branches):\(Self.fetched)\(branches)"]
        _ = try git.run(arguments, seconds: Self.transferSeconds)
    }

    /// The branches that were fetched last.
    func fetchedBranches(_ group: String?) throws(GitFailure) -> [Branch] {
        let prefix = Self.fetched + (group.map { $0 + "/" } ?? "")
        let output = try git.run(["for-each-ref", "--format=%(objectname) %(refname)", prefix])
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count == 2, fields[1].hasPrefix(Self.fetched), Self.isObject(fields[0]) else { return nil }
            let names = fields[1].dropFirst(Self.fetched.count).split(separator: "/").map(String.init)
            guard names.count == 2, names.allSatisfy(CarriedFileName.isIdentifier) else { return nil }
            return Branch(group: names[0], device: names[1], commit: String(fields[0]))
        }
    }

    /// The plain files of a commit that are carried.
    func entries(of commit: String) throws(GitFailure) -> [Entry] {
        try git.run(["ls-tree", "-z", "-l", commit]).split(separator: 0).compactMap { line in
            // MODE blob OBJECT SIZE\tNAME
            let sides = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            guard sides.count == 2 else { return nil }
            let fields = String(decoding: sides[0], as: UTF8.self).split(separator: " ")
            guard fields.count == 4, fields[0].hasPrefix("100"), fields[1] == "blob", Self.isObject(fields[2]),
                let byteCount = UInt64(fields[3]), let name = CarriedFileName(String(decoding: sides[1], as: UTF8.self))
            else { return nil }
            return Entry(name: name, blob: String(fields[2]), byteCount: byteCount)
        }
    }

    /// The content of an object, in a file without a name.
    func open(_ blob: String) throws(GitFailure) -> Descriptor {
        let file: Descriptor
        do throws(SystemCallFailure) {
            file = try git.temporaryFile()
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be written: \(error.message)")
        }
        _ = try git.run(["cat-file", "blob", blob], output: file)
        lseek(file.number, 0, SEEK_SET)
        return file
    }

    /// Stores a file.
    ///
    /// - Returns: its object.
    func store(_ file: Descriptor) throws(GitFailure) -> String {
        try object(git.run(["hash-object", "-w", "--no-filters", "--stdin"], input: file))
    }

    /// - Parameter files: their objects by their names.
    func makeTree(_ files: [String: String]) throws(GitFailure) -> String {
        let lines = files.sorted { $0.key < $1.key }.map { "100644 blob \($0.value)\t\($0.key)\0" }
        let input: Descriptor
        do throws(SystemCallFailure) {
            input = try git.temporaryFile()
            try input.write(Array(lines.joined().utf8))
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be written: \(error.message)")
        }
        lseek(input.number, 0, SEEK_SET)
        return try object(git.run(["mktree", "-z"], input: input))
    }

    func tree(of commit: String) throws(GitFailure) -> String {
        try object(git.run(["rev-parse", "--verify", "--quiet", "\(commit)^{tree}"]))
    }

    func makeCommit(_ tree: String) throws(GitFailure) -> String {
        try object(git.run(["commit-tree", tree, "-m", "autofilld"]))
    }

    enum PushResult { case pushed, rejected }

    /// Replaces a device's branch by a commit, if the branch still is the one that is expected; nil: there is none.
    func push(_ commit: String, to own: CarrierConfiguration.Own, expected: String?) throws(GitFailure) -> PushResult {
        let branch = "\(Self.branches)\(own.group)/\(own.device)"
        var arguments = ["push", "--porcelain", "--no-verify", "--force-with-lease=\(branch):\(expected ?? "")"]
        if location.isLocal {
            // A checked-out branch would be written to a work tree, through filters.
            let settings = Self.withoutPrograms + ["receive.autogc=false", "receive.denyCurrentBranch=refuse"]
            arguments.append("--receive-pack=\(Self.local(settings)) receive-pack")
        }
        do throws(GitFailure) {
            _ = try git.run(
                arguments + ["--", location.url, "\(commit):\(branch)"], seconds: Self.transferSeconds)
            return .pushed
        } catch {
            let lines = String(decoding: error.output, as: UTF8.self).split(separator: "\n")
            if lines.contains(where: { $0.hasPrefix("!") && $0.contains("(stale info)") }) { return .rejected }
            let refusal = lines.first { $0.hasPrefix("!") }.map(String.init)
            throw refusal.map { GitFailure(text: $0) } ?? error
        }
    }

    private func object(_ output: [UInt8]) throws(GitFailure) -> String {
        let text = String(decoding: output, as: UTF8.self).prefix { $0 != "\n" }
        guard Self.isObject(text) else { throw GitFailure(text: "git printed no object") }
        return String(text)
    }

    /// SHA-1 or SHA-256.
    static func isObject(_ text: some StringProtocol) -> Bool {
        [40, 64].contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
