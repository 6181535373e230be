// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Glibc
import SyncCarrier
import TestGround
import Testing

/// Folders that others may write anything to.
@Suite("Hostile folders", .blocking, .timeLimit(.minutes(2)))
struct HostileFolderTests {
    private let ground: CarrierGround
    private let (a, b): (Machine, Machine)
    private let now = CarrierGround.now

    init() throws {
        ground = try CarrierGround()
        (a, b) = (try ground.machine(1), try ground.machine(2))
    }

    @Test("A FIFO is not read, whatever its name, and delays nothing")
    func fifo() throws {
        let (name, foreign) = (Machine.name("pipe".bytes), "notes.txt")
        var pipes: [Int32] = []
        defer { for pipe in pipes { close(pipe) } }
        try ground.write("good".bytes, Machine.name("good".bytes, 2), of: a)
        for path in [ground.path(a, name), ground.path(a, foreign), "\(ground.folder)/\(foreign)"] {
            try #require(mkfifo(path, 0o600) == 0)
            // Both ends: what a reader takes away is missing afterwards.
            let pipe = open(path, O_RDWR | O_NONBLOCK)
            pipes.append(pipe)
            try #require(write(pipe, "pipe", 4) == 4)
        }
        var carrier = ground.carrier(b)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(b.receivedNames(of: a) == [Machine.name("good".bytes, 2)])
        for pipe in pipes {
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(read(pipe, &bytes, 8) == 4)
        }
    }

    @Test("Links are not followed: to a file, to a device's directory, to a group's")
    func links() throws {
        let name = Machine.name("secret".bytes)
        try CarrierGround.write("secret".bytes, to: ground.directory.path + "/outside/\(b.own.device)/\(name)")
        let outside = ground.directory.path + "/outside/" + b.own.device
        try ground.write("good".bytes, Machine.name("good".bytes, 2), of: a)
        try #require(symlink("\(outside)/\(name)", ground.path(a, name)) == 0)
        try #require(symlink(outside, "\(ground.folder)/\(CarrierGround.group)/\(b.own.device)") == 0)
        let third = try ground.machine(3)
        var carrier = ground.carrier(third)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(third.receivedNames(of: a) == [Machine.name("good".bytes, 2)])
        #expect(CarrierGround.names("\(third.spool.received)/\(CarrierGround.group)").count == 1)
        try FileManager.default.moveItem(
            atPath: "\(ground.folder)/\(CarrierGround.group)", toPath: ground.directory.path + "/group")
        try #require(
            symlink(ground.directory.path + "/group", "\(ground.folder)/\(CarrierGround.group)") == 0)
        let newcomer = try ground.machine(4)
        var ofNewcomer = ground.carrier(newcomer)
        #expect(ofNewcomer.round(at: now).problem == nil)
        #expect(newcomer.receivedNames(of: a) == [], "the group's link counts as no group")
        #expect(carrier.round(at: now).problem?.code == .folderMissing, "the group was there before")
    }

    @Test("Nothing is written through a link that is in this machine's own directory")
    func ownLinks() throws {
        let target = ground.directory.path + "/target"
        try CarrierGround.write("mine".bytes, to: target)
        let name = try a.put("own")
        try ground.write([], "other", of: a)
        try #require(symlink(target, ground.path(a, name)) == 0)
        try #require(symlink(target, ground.path(a, ".\(name).partial")) == 0)
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(CarrierGround.read(target) == "mine".bytes)
        #expect(CarrierGround.read(ground.path(a, name)) == "own".bytes)
    }

    @Test("Directories and empty files with a file's name, and foreign names, are not carried")
    func foreign() throws {
        let directory = Machine.name("directory".bytes)
        try ground.write("x".bytes, "\(directory)/inside", of: a)
        try ground.write([], Machine.name([], 2), of: a)
        for name in ["notes.txt", ".stfolder", "~syncthing~x.tmp", "00000001-0.snap", "\u{202E}x"] {
            try ground.write("x".bytes, name, of: a)
            try CarrierGround.write("x".bytes, to: "\(ground.folder)/\(name)")
        }
        try CarrierGround.write("x".bytes, to: "\(ground.folder)/\(CarrierGround.group)/notes/file")
        var carrier = ground.carrier(b)
        #expect(carrier.round(at: now) == RoundOutcome())
        #expect(b.receivedNames(of: a) == [])
        #expect(ground.names(of: a).contains("notes.txt"), "nothing foreign is removed")
    }

    @Test("A directory where this machine's file belongs is reported, and what others wrote is still brought")
    func obstructed() throws {
        let name = try a.put("own")
        try ground.write("x".bytes, "\(name)/inside", of: a)
        try ground.write("other".bytes, Machine.name("other".bytes), of: b)
        var carrier = ground.carrier(a)
        let outcome = carrier.round(at: now)
        #expect(outcome.problem?.code == .folderUnreadable && outcome.waiting == 1)
        #expect(a.receivedNames(of: b).count == 1)
    }

    @Test("A folder with 10,000 foreign files is read in a round; with 100,000 in the long form")
    func manyForeign() throws {
        let isFull = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1"
        let count = isFull ? 100_000 : 10_000
        let name = Machine.name("good".bytes)
        try ground.write("good".bytes, name, of: a)
        let other = "\(ground.folder)/\(a.directory)"
        for number in 0..<count {
            // Half of them among the group's files, half beside the groups.
            let directory = number % 2 == 0 ? other : ground.folder
            let file = open("\(directory)/photo-\(number).jpeg", O_CREAT | O_WRONLY, 0o600)
            try #require(file >= 0)
            close(file)
        }
        var carrier = ground.carrier(b)
        let start = threadTime()
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        // A second where it is built for release.
        #expect(threadTime() - start < .seconds(isFull ? 4 : 2))
        #expect(b.receivedNames(of: a) == [name])
    }
}
