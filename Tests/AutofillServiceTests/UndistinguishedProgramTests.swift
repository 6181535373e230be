// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

@testable import AutofillService

@Suite("Prompts about programs that nothing distinguishes from others which run their file")
struct UndistinguishedProgramTests {
    private static let minute = Int64(Limits.denialMilliseconds)
    private static let hour = Int64(Limits.longestDenialMilliseconds)

    private func key(_ process: String, file: String = "1:9") -> Denials.Key {
        Denials.Key(.unlock(process), by: Denials.Undistinguished(file: file, process: process))
    }

    @Test("Noes to three processes of one file are one to all of it, twice as long with each further one")
    func noes() {
        var denials = Denials()
        func note(_ process: String, at time: Int64) -> Int64 { denials.note(key(process), at: time) }
        for (number, process) in ["a", "b", "c"].enumerated() {
            #expect(denials.remaining(of: key(process), at: Int64(number)) == nil)
            #expect(note(process, at: Int64(number)) == Self.minute)
        }
        #expect(denials.remaining(of: key("d"), at: 3) == Self.minute - 1)
        #expect(denials.remaining(of: key("d", file: "1:10"), at: 3) == nil)
        #expect(denials.remaining(of: Denials.Key(.unlock("program")), at: 3) == nil)
        #expect(denials.remaining(of: key("d"), at: 2 + Self.minute) == nil)
        #expect(note("d", at: 2 + Self.minute) == 2 * Self.minute)
        #expect(denials.remaining(of: key("e"), at: 2 + Self.minute) == 2 * Self.minute)
        // However long it holds by now, one more soon after it is enough.
        var now = 2 + Self.minute
        for process in 0..<8 { now += note("p\(process)", at: now) }
        #expect(note("last", at: now) == Self.hour)
    }

    @Test("Withdrawals of prompts about three processes within a minute are a no to all that run their file")
    func withdrawals() {
        var denials = Denials()
        for process in ["a", "b", "c"] { denials.noteWithdrawal(of: key(process), at: 5) }
        #expect(denials.remaining(of: key("d"), at: 5) == Self.minute)
        #expect(denials.remaining(of: Denials.Key(.unlock("c")), at: 5) == nil, "one of its own is none yet")
        var slow = Denials()
        for (number, process) in ["a", "b", "c", "d"].enumerated() {
            slow.noteWithdrawal(of: key(process), at: Int64(number) * Self.minute / 2)
        }
        #expect(slow.remaining(of: key("e"), at: 2 * Self.minute) == nil)
    }

    @Test("Noes to unlock are none to use what is saved, and what the user decides otherwise forgets them")
    func forgotten() {
        func consent(_ process: String) -> Denials.Key {
            let subject = Subject(app: "app", assurance: "none", executable: process)
            return Denials.Key(
                .consent(.fill, subject), by: Denials.Undistinguished(file: "1:9", process: process))
        }
        var denials = Denials()
        for process in ["a", "b", "c"] { _ = denials.note(key(process), at: 0) }
        #expect(denials.remaining(of: key("d"), at: 1) != nil && denials.remaining(of: consent("d"), at: 1) == nil)
        for process in ["a", "b", "c"] { _ = denials.note(consent(process), at: 0) }
        // The vault was unlocked.
        denials.forget(where: \.isUnlock)
        _ = denials.note(key("e"), at: 2)
        #expect(denials.remaining(of: key("f"), at: 2) == nil && denials.remaining(of: consent("f"), at: 2) != nil)
    }

    @Test("A no to several counts for one of them that had none before")
    func several() {
        var denials = Denials()
        for process in ["a", "b"] { _ = denials.note(key(process), at: 0) }
        denials.note(["a", "b", "c"].map { key($0) }, at: 1)
        #expect(denials.remaining(of: key("d"), at: 1) == Self.minute)
    }

    @Test("Noes to one process, one to many, some with a yes between them, and some an hour apart are none to others")
    func few() {
        let late = 2 * Self.hour
        var one = Denials()
        for time in late...(late + 2) { _ = one.note(key("a"), at: time) }
        var many = Denials()
        many.note(["a", "b", "c"].map { key($0) }, at: late)
        var changed = Denials()
        for process in ["a", "b"] { _ = changed.note(key(process), at: late) }
        changed.forget(key("c"))
        _ = changed.note(key("c"), at: late)
        var rare = Denials()
        for (number, process) in ["a", "b", "c"].enumerated() {
            _ = rare.note(key(process), at: Int64(number) * Self.hour)
        }
        for denials in [one, many, changed, rare] { #expect(denials.remaining(of: key("d"), at: late + 2) == nil) }
    }

    @Test("Of more files than are remembered the one whose prompt ended longest ago is forgotten")
    func full() {
        var denials = Denials()
        for process in ["a", "b"] { denials.noteWithdrawal(of: key(process, file: "first"), at: 0) }
        for number in 1...Limits.rememberedDenials {
            denials.noteWithdrawal(of: key("\(number)", file: "\(number)"), at: Int64(number))
        }
        let now = Int64(Limits.rememberedDenials)
        for file in ["first", "\(now)"] {
            for process in ["c", "d"] { denials.noteWithdrawal(of: key(process, file: file), at: now) }
        }
        #expect(denials.remaining(of: key("e", file: "\(now)"), at: now) == Self.minute)
        #expect(denials.remaining(of: key("e", file: "first"), at: now) == nil)
    }
}

@Suite(
    "Prompts of a loop of programs that ask through Secret Service",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct LoopOfCallersTests {
    private typealias Caller = SecretServiceWorld.Caller

    private let world: SecretServiceWorld
    private let daemon: TestService
    private let item: String

    init() throws {
        world = try SecretServiceWorld()
        daemon = try world.service()
        item = try world.connect(daemon, Caller("/usr/bin/maker")).keep(["user": "ann"], "one")
    }

    private func send(_ caller: Caller, _ start: UInt64) throws -> SentCall<KeychainGet> {
        try world.connect(daemon, caller.again(start, login: "boot/session")).send(KeychainGet(.id(item)))
    }

    private func answer(_ answer: ConsentAnswer) throws {
        try daemon.answer(try #require(daemon.questions.first), answer)
    }

    @Test("After three noes no fourth that systemd or bwrap started gets a prompt, but other programs do, and it later")
    func noes() throws {
        let tool = Caller("/usr/bin/secret-tool")
        let (systemd, bwrap) = (Caller("/usr/lib/systemd/systemd"), Caller("/usr/bin/bwrap"))
        for start in 1...3 {
            let sent = try send(tool.started(by: start == 2 ? bwrap : systemd), UInt64(start))
            try answer(.deny)
            #expect(try sent.reasons() == ["consent-denied"])
        }
        let refused = try #require(try send(tool.started(by: systemd), 4).refusal()).reasons
        #expect(refused.map(\.reason) == ["consent-denied"])
        #expect(refused.first?.retryAfterMilliseconds == Limits.denialMilliseconds)
        #expect(daemon.questions.isEmpty)
        let other = try send(Caller("/usr/bin/busctl").started(by: systemd), 5)
        try answer(.once)
        #expect(try other.answer().data.text == "one")
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        let later = try send(tool.started(by: systemd), 6)
        try answer(.once)
        #expect(try later.answer().data.text == "one")
    }

    @Test("Where the user says yes to one of three the next one gets its prompt")
    func yes() throws {
        let tool = Caller("/usr/bin/secret-tool").started(by: Caller("/usr/lib/systemd/systemd"))
        for (start, decision) in [(1, .deny), (2, .deny), (3, .once), (4, .deny)] as [(UInt64, ConsentAnswer)] {
            let sent = try send(tool, start)
            try answer(decision)
            #expect(try sent.reasons() == (decision == .deny ? ["consent-denied"] : []))
        }
        #expect(try send(tool, 5).waits)
    }

    @Test("A no to one in a sandbox is for all of its unit and file, whatever path they have, and for no other unit")
    func sandbox() throws {
        func apart(_ path: String, unit: Int) -> Caller {
            var caller = Caller(path)
            caller.evidence.isApart = true
            caller.evidence.executable = .file(
                ExecutableFile(
                    path: path, identity: SecretServiceWorld.identity("/usr/bin/tool"), owner: 0, location: .rootOwned))
            let group = "/user.slice/user-1000.slice/user@1000.service/app.slice/run-u\(unit).service"
            caller.evidence.controlGroup = ControlGroup(procFile: Array("0::\(group)\n".utf8))
            return caller
        }
        let sent = try send(apart("/tmp/a", unit: 1), 1)
        try answer(.deny)
        #expect(try sent.reasons() == ["consent-denied"])
        #expect(try send(apart("/tmp/b", unit: 1), 2).reasons() == ["consent-denied"])
        #expect(daemon.questions.isEmpty)
        #expect(try send(apart("/tmp/a", unit: 2), 3).waits)
        #expect(daemon.questions.count == 1)
    }
}
