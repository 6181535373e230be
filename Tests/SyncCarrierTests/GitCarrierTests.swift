// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import SyncCarrier
import TestGround
import Testing

/// With the real git and a bare repository on disk.
@Suite(
    "Carrying by git", .blocking, .timeLimit(.minutes(2)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "needs git"))
struct GitCarrierTests {
    private let ground: CarrierGround
    private let (a, b): (Machine, Machine)
    private let remote: String
    private let now = CarrierGround.now

    init() throws {
        ground = try CarrierGround()
        (a, b) = (try ground.machine(1), try ground.machine(2))
        remote = ground.directory.path + "/remote.git"
        try Self.git("init", "--quiet", "--bare", remote)
    }

    @discardableResult
    private static func git(_ arguments: String...) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(arguments)")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func carrier(_ machine: Machine, waits: Bool = false) throws -> GitCarrier {
        GitCarrier(location: try GitLocation(remote), own: waits ? nil : machine.own, spool: machine.spool)
    }

    private func branch(_ machine: Machine) -> String { "refs/heads/autofilld/\(machine.directory)" }

    private func commit(_ machine: Machine) throws -> String {
        try Self.git("--git-dir", remote, "rev-parse", branch(machine)).trimmingCharacters(in: .newlines)
    }

    private func names(_ machine: Machine) throws -> [String] {
        try Self.git("--git-dir", remote, "ls-tree", "--name-only", branch(machine)).split(separator: "\n")
            .map(String.init)
    }

    @Test("Two machines exchange files, each by a branch with one commit; what is removed or lost follows")
    func exchange() throws {
        let (first, second) = (try a.put("one", 1), try a.put("two", 2))
        let ofOther = try b.put("other")
        var (ofA, ofB) = (try carrier(a), try carrier(b))
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(CarrierGround.read(b.received(second, of: a)) == "two".bytes)
        #expect(ofA.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(a.receivedNames(of: b) == [ofOther] && a.receivedNames(of: a) == [])
        // Nothing to do: no new commit.
        let before = try commit(a)
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(try commit(a) == before)
        try FileManager.default.removeItem(atPath: a.outgoing(first))
        let third = try a.put("three", 3)
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(try names(a) == [second, third])
        #expect(try Self.git("--git-dir", remote, "rev-list", "--count", branch(a)) == "1\n")
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [second, third])
        // A carrier that starts again knows its commits.
        var restarted = try carrier(a)
        #expect(restarted.round(at: now) == RoundOutcome())
        // The host loses a branch, or sets it back.
        try Self.git("--git-dir", remote, "update-ref", "-d", branch(a))
        let rebuilt = restarted.round(at: now)
        #expect(rebuilt.problem == nil && rebuilt.waiting == 0 && rebuilt.restored?.files == 2)
        #expect(try names(a) == [second, third])
        try Self.git("--git-dir", remote, "update-ref", branch(a), before)
        let caughtUp = restarted.round(at: now)
        #expect(caughtUp.problem == nil && caughtUp.restored?.files == 1)
        #expect(a.receivedNames(of: a) == [first], "a file that is not in the outbox")
        try a.settle(first, of: a)
        #expect(restarted.round(at: now).problem == nil)
        #expect(try names(a) == [second, third])
        #expect(restarted.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(a.receivedNames(of: a) == [])
    }

    @Test("The push of a twin is noticed: nothing of it is overwritten, and its files are brought")
    func twin() throws {
        let common = try a.put("common", 1)
        var ofA = try carrier(a)
        #expect(ofA.round(at: now) == RoundOutcome())
        // A copy of the machine's data.
        try FileManager.default.copyItem(atPath: a.spool.path, toPath: ground.directory.path + "/copy")
        let copy = try ground.machine(1, spool: "copy")
        let (ofTwin, ofOriginal) = (try copy.put("twin", 2), try a.put("original", 2))
        var twin = try carrier(copy)
        #expect(twin.round(at: now) == RoundOutcome())
        let outcome = ofA.round(at: now)
        #expect(outcome.problem?.code == .gitRejected)
        #expect(outcome.waiting == 1 && outcome.hasChanged)
        #expect(try names(a) == [common, ofTwin].sorted())
        #expect(a.receivedNames(of: a) == [ofTwin])
        // The daemon takes another id.
        let renewed = try ground.machine(9, spool: "spool-1")
        try renewed.put("original", 1)
        var again = try carrier(renewed)
        #expect(again.round(at: now).problem == nil)
        #expect(try names(renewed).count == 1)
        #expect(renewed.receivedNames(of: a) == [common, ofTwin].sorted())
        #expect(!CarrierGround.exists(renewed.received(ofOriginal, of: a)))
    }

    @Test("Hooks of the remote repository and of the spool's are not run, and nothing that its configuration names")
    func hooks() throws {
        var ofA = try carrier(a)
        #expect(ofA.round(at: now) == RoundOutcome())
        let marker = ground.directory.path + "/ran"
        for directory in [remote, a.spool.repository] {
            for hook in ["pre-push", "pre-receive", "update", "post-receive", "post-update", "reference-transaction"] {
                let path = "\(directory)/hooks/\(hook)"
                try CarrierGround.write("#!/bin/sh\ntouch \(marker)\n".bytes, to: path)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
        }
        try Self.git("--git-dir", remote, "config", "uploadpack.packObjectsHook", "touch \(marker); exec")
        try Self.git("--git-dir", remote, "config", "core.fsmonitor", "touch \(marker)")
        // What a repository has that borrows objects from another one.
        let (lender, lent) = (ground.directory.path + "/lender.git", marker + "-lent")
        try Self.git("init", "--quiet", "--bare", lender)
        try CarrierGround.write((lender + "/objects\n").bytes, to: remote + "/objects/info/alternates")
        try Self.git("--git-dir", remote, "config", "core.alternateRefsCommand", "touch \(lent); true")
        try a.put("one")
        var ofB = try carrier(b)
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(!CarrierGround.exists(marker) && !CarrierGround.exists(lent))
        // They do run otherwise.
        try Self.git("--git-dir", remote, "update-ref", "refs/heads/x", try commit(a))
        try Self.git("--git-dir", a.spool.repository, "push", "--quiet", remote, try commit(a) + ":refs/heads/y")
        #expect(CarrierGround.exists(marker) && CarrierGround.exists(lent))
    }

    @Test("A remote repository that lacks an object has no program bring it")
    func partialRemote() throws {
        let (marker, name) = (ground.directory.path + "/ran", try a.put("one"))
        var (ofA, ofB) = (try carrier(a), try carrier(b))
        #expect(ofA.round(at: now) == RoundOutcome())
        let blob = try Self.git("--git-dir", remote, "rev-parse", "\(branch(a)):\(name)")
            .trimmingCharacters(in: .newlines)
        let object = "\(remote)/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"
        for (key, value) in [
            ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "other"), ("remote.other.url", remote),
            ("remote.other.promisor", "true"), ("remote.other.uploadpack", "touch \(marker); false"),
        ] {
            try Self.git("--git-dir", remote, "config", key, value)
        }
        try FileManager.default.moveItem(atPath: object, toPath: object + "-away")
        #expect(ofB.round(at: now).problem?.code == .gitFailed)
        #expect(!CarrierGround.exists(marker))
        try FileManager.default.moveItem(atPath: object + "-away", toPath: object)
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
    }

    @Test("The work tree of a remote repository that has this machine's branch checked out is not written")
    func workTree() throws {
        let (work, marker) = (ground.directory.path + "/work", ground.directory.path + "/ran")
        try Self.git("init", "--quiet", work)
        try a.put("one", 1)
        var ofA = GitCarrier(location: try GitLocation(work), own: a.own, spool: a.spool)
        #expect(ofA.round(at: now) == RoundOutcome())
        try Self.git("-C", work, "symbolic-ref", "HEAD", branch(a))
        try Self.git("-C", work, "reset", "--quiet", "--hard")
        try Self.git("-C", work, "config", "receive.denyCurrentBranch", "updateInstead")
        // Through which it would be written.
        try Self.git("-C", work, "config", "filter.x.smudge", "touch \(marker); cat")
        try CarrierGround.write("* filter=x\n".bytes, to: work + "/.git/info/attributes")
        try a.put("two", 2)
        #expect(ofA.round(at: now).problem?.code == .gitFailed)
        #expect(!CarrierGround.exists(marker))
    }

    @Test(
        "A repository of the spool is made again where a full disk or a power cut left only some of it",
        arguments: [["HEAD": "ref: refs/heads/main\n"], ["HEAD": "", "config": ""], ["HEAD.lock": ""]])
    func incomplete(files: [String: String]) throws {
        for (name, text) in files { try CarrierGround.write(text.bytes, to: "\(a.spool.repository)/\(name)") }
        let name = try a.put("one")
        var ofA = try carrier(a)
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(try names(a) == [name])
    }

    @Test("Locks that a power cut has left are removed, also while this process runs")
    func locks() throws {
        try b.put("other")
        var (ofA, ofB) = (try carrier(a), try carrier(b))
        _ = (ofB.round(at: now), ofA.round(at: now))
        for sequence in 2...3 {
            for name in ["packed-refs.lock", "packed-refs.new", "refs/carried/\(b.directory).lock"] {
                try CarrierGround.write([], to: "\(a.spool.repository)/\(name)")
            }
            let (own, others) = (try a.put("own", sequence), try b.put("other", sequence))
            #expect(ofB.round(at: now).problem == nil)
            if sequence == 3 { ofA = try carrier(a) }
            #expect(ofA.round(at: now) == RoundOutcome(hasChanged: true))
            #expect(try a.receivedNames(of: b).contains(others) && names(a).contains(own))
        }
    }

    @Test("A file that git cannot read is a problem of each round until it can, and not one that is incomplete")
    func unreadable() throws {
        let name = try a.put("one")
        var (ofA, ofB) = (try carrier(a), try carrier(b))
        _ = (ofA.round(at: now), ofB.round(at: now))
        // Its object is damaged, and the daemon has it brought again.
        try Self.git("--git-dir", b.spool.repository, "repack", "-adq")
        let packs = b.spool.repository + "/objects/pack"
        let pack = packs + "/" + (try #require(CarrierGround.names(packs).first { $0.hasSuffix(".pack") }))
        let intact = try #require(CarrierGround.read(pack))
        // The last bytes of the last object, a file's, precede the checksum.
        var damaged = intact
        for index in damaged.indices.suffix(24).prefix(4) { damaged[index] ^= 0xFF }
        func replace(_ bytes: [UInt8]) throws {
            try FileManager.default.removeItem(atPath: pack)
            try CarrierGround.write(bytes, to: pack)
        }
        try replace(damaged)
        try FileManager.default.removeItem(atPath: b.spool.received)
        for _ in 0..<2 {
            let problem = ofB.round(at: now).problem
            #expect(problem?.code == .gitFailed && problem?.detail.hasPrefix("\(name) cannot be read: ") == true)
        }
        try replace(intact)
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [name])
    }

    @Test("Other branches, and what is no plain file with such a name in a commit, are not carried")
    func hostileRemote() throws {
        let name = Machine.name("good".bytes)
        let blobs = try ["good", "secret"].map { text in
            let file = ground.directory.path + "/blob"
            try CarrierGround.write(text.bytes, to: file)
            return try Self.git("--git-dir", remote, "hash-object", "-w", file).trimmingCharacters(in: .newlines)
        }
        let tree = ground.directory.path + "/tree"
        let lines = [
            "100644 blob \(blobs[0])\t\(name)", "120000 blob \(blobs[1])\t\(Machine.name("secret".bytes, 2))",
            "100644 blob \(blobs[1])\tnotes.txt", "100644 blob \(blobs[1])\t\(Machine.name("other".bytes, 3))",
        ]
        try CarrierGround.write((lines.joined(separator: "\n") + "\n").bytes, to: tree)
        let script = """
            set -e; export GIT_DIR=$1 GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x
            commit=$(git commit-tree -m x "$(git mktree <"$2")")
            for name in "$3" autofilld/notes autofilld/x/y; do git update-ref "refs/heads/${name#refs/heads/}" "$commit"; done
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "script", remote, tree, branch(a)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        var ofB = try carrier(b)
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [name])
        #expect(CarrierGround.names(b.spool.received) == [CarrierGround.group])
        var waiting = try carrier(b, waits: true)
        #expect(waiting.round(at: now).problem == nil)
        #expect(b.receivedNames(of: a) == [], "no invitation")
    }

    @Test("A remote that does not answer is reported, and everything waits")
    func failure() throws {
        try a.put("one")
        var ofA = try carrier(a)
        try FileManager.default.moveItem(atPath: remote, toPath: remote + "-away")
        let outcome = ofA.round(at: now)
        #expect(outcome.problem?.code == .gitFailed && outcome.waiting == 1)
        #expect(outcome.problem?.detail.contains("remote.git") == true)
        try FileManager.default.moveItem(atPath: remote + "-away", toPath: remote)
        #expect(ofA.round(at: now) == RoundOutcome())
    }
}
