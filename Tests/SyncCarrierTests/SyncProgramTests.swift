// SPDX-License-Identifier: Apache-2.0
import Foundation
import SyncCarrier
import TestGround
import Testing

/// The program that was built beside the tests.
@Suite("autofill-sync", .blocking, .timeLimit(.minutes(2)))
struct SyncProgramTests {
    private let ground: CarrierGround
    private let (a, b): (Machine, Machine)

    init() throws {
        ground = try CarrierGround()
        (a, b) = (try ground.machine(1), try ground.machine(2))
    }

    private func configure(_ machine: Machine, folder: String) throws {
        try machine.configure(location: #"{"type":"folder","path":"\#(folder)"}"#)
    }

    @Test("--once carries what is due and exits with 0, or with 75 and the problem")
    func once() throws {
        let name = try a.put("one")
        try configure(a, folder: ground.folder)
        #expect(try CarrierProgram(["--spool", a.spool.path, "--once"]).end() == (0, ""))
        #expect(CarrierGround.read(ground.path(a, name)) == "one".bytes)
        try configure(a, folder: ground.folder + "/absent")
        let (status, output) = try CarrierProgram(["--spool", a.spool.path, "--once"]).end()
        #expect(status == 75 && output.hasPrefix("autofill-sync: folder-missing: "), "\(output)")
        try CarrierGround.write("{".bytes, to: a.spool.configuration)
        #expect(try CarrierProgram(["--spool", a.spool.path, "--once"]).end().status == 65)
        try FileManager.default.removeItem(atPath: a.spool.configuration)
        #expect(try CarrierProgram(["--spool", a.spool.path, "--once"]).end() == (0, ""))
    }

    @Test("It carries what changes, confined by Landlock, and ends with 0 when carrier.json is removed")
    func watches() throws {
        try configure(a, folder: ground.folder)
        try configure(b, folder: ground.folder)
        let name = try a.put("one")
        let first = try CarrierProgram(["--spool", a.spool.path])
        let second = try CarrierProgram(["--spool", b.spool.path])
        #expect(try first.nextLine() == "All files are carried.")
        #expect(try second.nextLine() == "All files are carried.")
        let status = try String(contentsOfFile: "/proc/\(first.process.processIdentifier)/status", encoding: .utf8)
        #expect(status.contains("\nNoNewPrivs:\t1\n"))
        // By inotify: without it, it would take a minute.
        try wait(until: { CarrierGround.exists(b.received(name, of: a)) }, in: b.spool.received)
        let later = try a.put("two", 2)
        try wait(until: { CarrierGround.exists(b.received(later, of: a)) }, in: b.spool.received)
        for (machine, program) in [(a, first), (b, second)] {
            try FileManager.default.removeItem(atPath: machine.spool.configuration)
            #expect(try program.end() == (0, ""))
        }
    }

    @Test("It ends with 0 when carrier.json names another folder, so that it is started again for that one")
    func otherLocation() throws {
        try configure(a, folder: ground.folder)
        let program = try CarrierProgram(["--spool", a.spool.path])
        #expect(try program.nextLine() == "All files are carried.")
        try FileManager.default.createDirectory(
            atPath: ground.folder + "-2", withIntermediateDirectories: false)
        try configure(a, folder: ground.folder + "-2")
        #expect(try program.end() == (0, ""))
    }

    @Test("It ends with 0 where a folder is back that was missing, as one that was unmounted, to be permitted again")
    func returnedFolder() throws {
        try configure(a, folder: ground.folder)
        let program = try CarrierProgram(["--spool", a.spool.path])
        #expect(try program.nextLine() == "All files are carried.")
        let elsewhere = ground.folder + "-elsewhere"
        try FileManager.default.moveItem(atPath: ground.folder, toPath: elsewhere)
        try a.put("one")
        #expect(try program.nextLine()?.hasPrefix("folder-missing: ") == true)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: ground.folder)
        try a.put("two", 2)
        #expect(try program.end() == (0, ""))
    }

    @Test("Where carrier.json is invalid it reports that once, and waits for another")
    func invalid() throws {
        try CarrierGround.write("{".bytes, to: a.spool.configuration)
        let program = try CarrierProgram(["--spool", a.spool.path])
        #expect(try program.nextLine() == "folder-unreadable: carrier.json is malformed, or of another version")
        try configure(a, folder: ground.folder)
        #expect(try program.nextLine() == "All files are carried.")
        try FileManager.default.removeItem(atPath: a.spool.configuration)
        #expect(try program.end() == (0, ""))
    }

    @Test("Wrong options exit with 64, help and version with 0")
    func options() throws {
        for arguments in [["--bogus"], ["--spool"], ["--read"], ["--read", "keys"], ["folder"]] {
            #expect(try CarrierProgram(arguments).end().status == 64, "\(arguments)")
        }
        let help = try CarrierProgram(["--help"]).end()
        #expect(help.status == 0 && help.output.contains("--spool DIR") && help.output.contains("--read PATH"))
        #expect(try CarrierProgram(["--version"]).end().output.firstMatch(of: /^\d+\.\d+\.\d+\n$/) != nil)
    }

    /// Waits for a condition that changes with state.json, without a clock.
    private func wait(until condition: () -> Bool, in directory: String) throws {
        let watch = inotify_init1(0)
        defer { close(watch) }
        try #require(inotify_add_watch(watch, directory, UInt32(IN_MOVED_TO)) >= 0)
        var events = [UInt8](repeating: 0, count: 4096)
        while !condition() { try #require(read(watch, &events, events.count) > 0) }
    }
}
