// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import SyncCarrier
import TestGround
import Testing

/// Over real folders; each round is called by the test.
@Suite("Carrying by a folder", .blocking)
struct FolderCarrierTests {
    private let ground: CarrierGround
    private let (a, b): (Machine, Machine)
    private let now = CarrierGround.now

    init() throws {
        ground = try CarrierGround()
        (a, b) = (try ground.machine(1), try ground.machine(2))
    }

    @Test("What one machine wants in the folder is brought to the other, and not back")
    func exchange() throws {
        let name = try a.put("one")
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(CarrierGround.read(ground.path(a, name)) == "one".bytes)
        #expect(a.receivedNames(of: a) == [])
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(CarrierGround.read(b.received(name, of: a)) == "one".bytes)
        #expect(ofB.round(at: now) == RoundOutcome())
        #expect(ground.names(of: a) == [name], "no temporary file is left")
        #expect(b.receivedNames(of: a) == [name])
    }

    @Test("A directory is watched before it has a file, also while this machine waits for an invitation")
    func watched() throws {
        let path = "\(ground.folder)/\(a.directory)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for own in [b.own, nil] {
            var carrier = FolderCarrier(folder: ground.folder, own: own, spool: b.spool)
            #expect(carrier.round(at: now) == RoundOutcome())
            #expect(carrier.watched.sorted() == [ground.folder, "\(ground.folder)/\(a.own.group)", path])
        }
    }

    @Test("A truncated file waits, is reported after an hour, and is brought when it is complete")
    func truncated() throws {
        let name = Machine.name("complete".bytes)
        try ground.write("compl".bytes, name, of: a)
        var carrier = ground.carrier(b)
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(b.receivedNames(of: a) == [])
        #expect(carrier.round(at: now + 3_599_999).problem == nil)
        #expect(carrier.round(at: now + 3_600_000).problem?.code == .incompleteFiles)
        try ground.write("complete".bytes, name, of: a)
        #expect(carrier.round(at: now + 3_600_001) == RoundOutcome(hasChanged: true))
        #expect(CarrierGround.read(b.received(name, of: a)) == "complete".bytes)
    }

    @Test("A file that was reported as incomplete is one for the next carrier, too, until it is complete")
    func stillTruncated() throws {
        let name = Machine.name("complete".bytes), later = Machine.name("later".bytes, 2)
        try ground.write("compl".bytes, name, of: a)
        var (first, recorder) = (ground.carrier(b), StateRecorder(b.spool))
        for time in [now, now + 3_600_000] { _ = recorder.record(first.round(at: time), at: time) }
        var next = ground.carrier(b)
        #expect(next.round(at: now + 3_600_001).problem?.code == .incompleteFiles)
        try ground.write("complete".bytes, name, of: a)
        try ground.write("lat".bytes, later, of: a)
        #expect(next.round(at: now + 3_600_002) == RoundOutcome(hasChanged: true))
    }

    @Test("A conflict copy is brought under the original's name, where the original is absent or damaged")
    func conflictCopy() throws {
        let names = ["one", "two", "three"].map { Machine.name($0.bytes) }
        let copies = names.map { $0.replacing(".delta", with: ".sync-conflict-20261126-141638-ABCDEF7.delta") }
        try ground.write("one".bytes, copies[0], of: a)
        try ground.write("two".bytes, names[1], of: a)
        try ground.write("damaged".bytes, copies[1], of: a)
        try ground.write("damaged".bytes, names[2], of: a)
        try ground.write("three".bytes, copies[2], of: a)
        var carrier = ground.carrier(b)
        #expect(carrier.round(at: now).hasChanged)
        #expect(b.receivedNames(of: a) == names.sorted())
        for (text, name) in zip(["one", "two", "three"], names) {
            #expect(CarrierGround.read(b.received(name, of: a)) == text.bytes)
        }
    }

    @Test(
        "A file that cannot be read is reported by each round, and is brought when it can be",
        .enabled(if: geteuid() != 0, "root may read any file"))
    func unreadable() throws {
        let name = Machine.name("one".bytes)
        try ground.write("one".bytes, name, of: a)
        try #require(chmod(ground.path(a, name), 0) == 0)
        var carrier = ground.carrier(b)
        for _ in 0..<2 {
            let problem = carrier.round(at: now).problem
            #expect(problem?.code == .folderUnreadable && problem?.detail.contains(name) == true)
        }
        try #require(chmod(ground.path(a, name), 0o600) == 0)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [name])
    }

    @Test("Where the directory of the group is gone nothing is written or removed: the folder may not be mounted")
    func unmounted() throws {
        let (first, other) = (try a.put("one", 1), try b.put("two", 2))
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        _ = (ofB.round(at: now), ofA.round(at: now))
        let later = try a.put("three", 3)
        let (group, away) = ("\(ground.folder)/\(CarrierGround.group)", ground.directory.path + "/away")
        try FileManager.default.moveItem(atPath: group, toPath: away)
        func expectNothing(_ outcome: RoundOutcome, waiting: Int) {
            #expect(outcome.problem?.code == .folderMissing && outcome.waiting == waiting && !outcome.hasChanged)
            #expect(outcome.problem?.detail.contains("mkdir \(ground.folder)/\(CarrierGround.group)") == true)
            #expect(CarrierGround.names(ground.folder) == [])
        }
        expectNothing(ofA.round(at: now), waiting: 1)
        #expect(a.receivedNames(of: b) == [other])
        // A process that starts meanwhile, also where the daemon has had all brought again.
        var restarted = ground.carrier(a)
        expectNothing(restarted.round(at: now), waiting: 2)
        try FileManager.default.removeItem(atPath: "\(a.spool.received)/\(CarrierGround.group)")
        expectNothing(restarted.round(at: now), waiting: 2)
        try FileManager.default.moveItem(atPath: away, toPath: group)
        #expect(restarted.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(ground.names(of: a) == [first, later].sorted() && a.receivedNames(of: b) == [other])
        // Another folder has no such directory yet.
        var elsewhere = FolderCarrier(folder: away, own: a.own, spool: a.spool)
        try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
        #expect(elsewhere.round(at: now).problem == nil)
        #expect(CarrierGround.names(away) == [CarrierGround.group])
    }

    @Test("A folder that is emptied is refilled once the group's directory is made, and others remove what it lost")
    func emptied() throws {
        let name = try a.put("one")
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        _ = (ofA.round(at: now), ofB.round(at: now))
        let group = "\(ground.folder)/\(CarrierGround.group)"
        try FileManager.default.removeItem(atPath: group)
        #expect(ofB.round(at: now).problem?.code == .folderMissing)
        #expect(b.receivedNames(of: a) == [name])
        // What the detail of the problem names.
        try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: false)
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [])
        let refilled = ofA.round(at: now)
        #expect(refilled.problem == nil && !refilled.hasChanged && refilled.restored?.files == 1)
        #expect(CarrierGround.read(ground.path(a, name)) == "one".bytes)
        #expect(ofB.round(at: now).hasChanged)
        #expect(b.receivedNames(of: a) == [name])
    }

    @Test("A file of this machine that was damaged in the folder is written again")
    func damaged() throws {
        let name = try a.put("right")
        var carrier = ground.carrier(a)
        _ = carrier.round(at: now)
        for damage in ["wrong", "cut", "much too long"] {
            try ground.write(damage.bytes, name, of: a)
            let outcome = carrier.round(at: now)
            #expect(outcome.problem == nil && outcome.restored?.files == 1, "\(damage)")
            #expect(CarrierGround.read(ground.path(a, name)) == "right".bytes, "\(damage)")
        }
        var restarted = ground.carrier(a)
        try ground.write("wrong".bytes, name, of: a)
        #expect(restarted.round(at: now) == RoundOutcome())
        #expect(CarrierGround.read(ground.path(a, name)) == "right".bytes)
    }

    @Test("A file under this machine's id that it did not write is brought, and removed when it is settled")
    func settledOwn() throws {
        let known = try a.put("own")
        let foreign = Machine.name("twin".bytes, 2)
        try ground.write("twin".bytes, foreign, of: a)
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(a.receivedNames(of: a) == [foreign])
        #expect(ground.names(of: a) == [known, foreign].sorted(), "it stays until it is settled")
        try a.settle(foreign, of: a)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(ground.names(of: a) == [known])
        #expect(a.receivedNames(of: a) == [])
        #expect(carrier.round(at: now) == RoundOutcome())
    }

    @Test("A settled file of another machine stays in the folder, and is not brought again")
    func settledOther() throws {
        let name = try a.put("one")
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        _ = (ofA.round(at: now), ofB.round(at: now))
        try b.settle(name, of: a)
        #expect(ofB.round(at: now) == RoundOutcome())
        var restarted = ground.carrier(b)
        #expect(restarted.round(at: now) == RoundOutcome())
        #expect(CarrierGround.read(b.received(name, of: a)) == [])
        #expect(CarrierGround.read(ground.path(a, name)) == "one".bytes)
    }

    @Test("When the daemon removes what was received, everything is brought again")
    func refilled() throws {
        let name = try a.put("one")
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        _ = (ofA.round(at: now), ofB.round(at: now))
        try b.settle(name, of: a)
        try FileManager.default.removeItem(atPath: b.spool.received)
        #expect(ofB.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(CarrierGround.read(b.received(name, of: a)) == "one".bytes)
    }

    @Test("What the daemon removes from its outbox is removed from the folder; without an outbox nothing is")
    func removed() throws {
        let (first, second) = (try a.put("one", 1), try a.put("two", 2))
        var carrier = ground.carrier(a)
        _ = carrier.round(at: now)
        try FileManager.default.removeItem(atPath: a.outgoing(first))
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(ground.names(of: a) == [second])
        try FileManager.default.removeItem(atPath: a.spool.outgoing)
        _ = carrier.round(at: now)
        #expect(ground.names(of: a) == [second])
    }

    @Test("An older file stays until the one that replaces it is in the folder")
    func replaced() throws {
        let old = try a.put("one", 1)
        var carrier = ground.carrier(a)
        _ = carrier.round(at: now)
        try FileManager.default.removeItem(atPath: a.outgoing(old))
        let new = try a.put("two", 2)
        try ground.write("x".bytes, "\(new)/inside", of: a)
        let outcome = carrier.round(at: now)
        #expect(outcome.problem?.code == .folderUnreadable && outcome.waiting == 1)
        #expect(CarrierGround.read(ground.path(a, old)) == "one".bytes)
        #expect(a.receivedNames(of: a) == [], "no other machine wrote it")
        try FileManager.default.removeItem(atPath: ground.path(a, new))
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(ground.names(of: a) == [new])
    }

    @Test("A file that cannot be written holds up none of those after it")
    func obstructed() throws {
        let (first, second) = (try a.put("one", 1), try a.put("two", 2))
        try ground.write("x".bytes, "\(first)/inside", of: a)
        var carrier = ground.carrier(a)
        let outcome = carrier.round(at: now)
        #expect(outcome.problem?.code == .folderUnreadable && outcome.waiting == 1)
        #expect(CarrierGround.read(ground.path(a, second)) == "two".bytes)
        try FileManager.default.removeItem(atPath: ground.path(a, first))
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(ground.names(of: a) == [first, second])
    }

    @Test("A settled file of this machine stays while the file that has its content is not in the folder")
    func settledAlone() throws {
        let (old, new) = (Machine.name("one".bytes, 1), try a.put("two", 2))
        try ground.write("one".bytes, old, of: a)
        try a.settle(old, of: a)
        try ground.write("x".bytes, "\(new)/inside", of: a)
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now).problem?.code == .folderUnreadable)
        #expect(CarrierGround.read(ground.path(a, old)) == "one".bytes)
        try FileManager.default.removeItem(atPath: ground.path(a, new))
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(ground.names(of: a) == [new])
    }

    @Test("What was removed from the outbox while no carrier ran is brought, settled, and then removed")
    func removedMeanwhile() throws {
        let (first, second) = (try a.put("one", 1), try a.put("two", 2))
        var carrier = ground.carrier(a)
        _ = carrier.round(at: now)
        try FileManager.default.removeItem(atPath: a.outgoing(first))
        var restarted = ground.carrier(a)
        _ = restarted.round(at: now)
        #expect(a.receivedNames(of: a) == [first])
        try a.settle(first, of: a)
        _ = restarted.round(at: now)
        #expect(ground.names(of: a) == [second])
    }

    @Test("A missing folder is reported with what waits, and carrying continues when it is back")
    func missing() throws {
        try a.put("one", 1)
        let other = try b.put("two", 2)
        var (ofA, ofB) = (ground.carrier(a), ground.carrier(b))
        _ = (ofB.round(at: now), ofA.round(at: now))
        let later = try a.put("three", 3)
        try FileManager.default.moveItem(atPath: ground.folder, toPath: ground.folder + "-away")
        let outcome = ofA.round(at: now)
        #expect(outcome.problem?.code == .folderMissing)
        #expect(outcome.waiting == 1 && !outcome.hasChanged)
        #expect(a.receivedNames(of: b) == [other], "nothing is removed")
        try FileManager.default.moveItem(atPath: ground.folder + "-away", toPath: ground.folder)
        #expect(ofA.round(at: now) == RoundOutcome())
        #expect(CarrierGround.exists(ground.path(a, later)))
        try FileManager.default.removeItem(atPath: ground.folder)
        try CarrierGround.write([], to: ground.folder)
        #expect(ofA.round(at: now).problem?.code == .folderUnreadable)
    }

    @Test("While a machine waits for an invitation, the invitations of all groups are brought and nothing else")
    func waiting() throws {
        let id = String(repeating: "7", count: 32)
        let other = "\(ground.folder)/\(String(repeating: "b", count: 32))/\(b.own.device)"
        try ground.write("invitation".bytes, "\(id).invitation", of: a)
        try ground.write("answer".bytes, "\(id).answer", of: a)
        try ground.write("one".bytes, Machine.name("one".bytes), of: a)
        try CarrierGround.write("second".bytes, to: "\(other)/\(id).invitation")
        var carrier = FolderCarrier(folder: ground.folder, own: nil, spool: b.spool)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == ["\(id).invitation"])
        #expect(CarrierGround.names("\(b.spool.received)/\(String(repeating: "b", count: 32))") == [b.own.device])
        // In a group, the others' invitations are not carried any more.
        var joined = ground.carrier(b)
        #expect(joined.round(at: now).hasChanged)
        #expect(CarrierGround.names(b.spool.received).filter(CarriedFileName.isIdentifier) == [CarrierGround.group])
        #expect(b.receivedNames(of: a).count == 3)
    }

    @Test("An answer is expected while this machine waits, and while an invitation of its own is in the folder")
    func expectsAnswer() throws {
        func carrier(_ own: CarrierConfiguration.Own?) -> Carrier {
            Carrier(CarrierConfiguration(location: .folder(ground.folder), own: own), spool: a.spool)
        }
        var (waiting, joined) = (carrier(nil), carrier(a.own))
        _ = (waiting.round(at: now), joined.round(at: now))
        #expect(waiting.expectsAnswer && !joined.expectsAnswer)
        let invitation = String(repeating: "7", count: 32) + ".invitation"
        try a.put("one")
        try CarrierGround.write("invitation".bytes, to: a.outgoing(invitation))
        _ = joined.round(at: now)
        #expect(joined.expectsAnswer && ground.names(of: a).contains(invitation))
        try FileManager.default.removeItem(atPath: a.outgoing(invitation))
        _ = joined.round(at: now)
        #expect(!joined.expectsAnswer && !ground.names(of: a).contains(invitation))
    }

    @Test("What a killed carrier left is removed; a temporary file of the daemon stays")
    func partials() throws {
        let (own, received) = (try a.put("own"), Machine.name("other".bytes, 2))
        try ground.write("ot".bytes, ".\(own).partial", of: a)
        try ground.write("other".bytes, received, of: b)
        let absent = Machine.name("absent".bytes, 3)
        try CarrierGround.write("ab".bytes, to: a.received(".\(absent).partial", of: b))
        try CarrierGround.write("other".bytes, to: a.received(received, of: b))
        try CarrierGround.write([], to: a.received(".\(received).partial", of: b))
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now).problem == nil)
        #expect(ground.names(of: a) == [own])
        #expect(a.receivedNames(of: b) == [".\(received).partial", received].sorted())
    }
}
