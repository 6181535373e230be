// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import EventLoop
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

@Suite("Sync: machines of one user exchange what is saved")
struct SyncTests {
    private let desktop: SyncedService
    private let laptop: SyncedService

    init() throws {
        desktop = try SyncedService()
        laptop = try SyncedService()
    }

    private func start() throws -> SyncStart.Answer {
        try desktop.user.answer(to: SyncStart(location: SyncedService.folder, name: "desktop", proof: .test))
    }

    private func join(_ machine: SyncedService, named name: String, _ code: SecretBytes) throws {
        try machine.user.answer(
            to: SyncJoin(location: SyncedService.folder, code: code, name: name, proof: .test))
    }

    /// The laptop is let in by the desktop.
    private func letIn(_ carrier: inout TestCarrier) throws {
        _ = try carrier.letIn(laptop, by: desktop)
    }

    @Test("What either machine saves is there on the other, after it was let in by its name")
    func exchanged() throws {
        var carrier = try TestCarrier()
        try desktop.save("of the desktop")
        try laptop.save("of the laptop", user: "bob")
        try letIn(&carrier)
        #expect(try laptop.status.state == .active && desktop.status.state == .active)
        #expect(try laptop.password() == "of the desktop" && desktop.password(of: "bob") == "of the laptop")
        let devices = try laptop.status.devices
        #expect(devices.map(\.name) == ["desktop", "laptop"] && devices.map(\.isThis) == [false, true])
        #expect(devices.allSatisfy { $0.isMember && $0.missing == 0 })
        // A second later it is published, in one file for all that was saved until then.
        try laptop.save("new")
        try laptop.save("of the laptop 2", user: "bob")
        try carrier.carry(laptop, desktop)
        #expect(try desktop.password() == "of the desktop")
        try laptop.publish()
        try carrier.carry(laptop, desktop)
        #expect(try desktop.password() == "new" && desktop.password(of: "bob") == "of the laptop 2")
    }

    @Test("Letting a machine in, and joining, are on record as releases of everything")
    func recorded() throws {
        var carrier = try TestCarrier()
        try letIn(&carrier)
        for (machine, method) in [(desktop, "admin.sync.admit"), (laptop, "admin.sync.join")] {
            let entry = try #require(
                try machine.user.answer(to: ReleaseList(proof: .test)).releases.first { $0.method == method })
            #expect(entry.evidence?.hasPrefix("All that is saved, for ") == true && entry.refused == nil)
        }
    }

    @Test("What arrives while other work has the vault is merged when that work ends")
    func arrivedMeanwhile() throws {
        var carrier = try TestCarrier()
        try letIn(&carrier)
        try desktop.save("new")
        try desktop.publish()
        let (check, work) = try laptop.daemon.begin(VaultCheck(proof: .test), laptop.user)
        try carrier.carry(desktop, laptop)
        try laptop.daemon.finish(try #require(work))
        #expect(try check.answer().isIntact)
        #expect(try laptop.password() == "new")
    }

    @Test("A machine that was locked while it waited to be let in goes on when it is unlocked")
    func lockedWhileJoining() throws {
        var carrier = try TestCarrier()
        _ = try start()
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", code)
        try laptop.user.answer(to: VaultLock())
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.user.answer(to: SyncAnswer()).device == nil)
        try laptop.user.answer(to: VaultUnlock(proof: .test))
        // It answers what had arrived, without a further round.
        #expect(try laptop.status.problem?.contains("desktop") == true)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.user.answer(to: SyncAnswer()).name == "laptop")
    }

    @Test("Where the spool cannot be written nothing is started")
    func unwritable() throws {
        try desktop.directory.write("data/sync", "no directory")
        #expect(
            throws: (any Error).self,
            performing: {
                try desktop.user.answer(to: SyncStart(location: SyncedService.folder, name: "desktop", proof: .test))
            })
        #expect(try desktop.status.state == .off)
    }

    @Test("Until it is let in a machine gets nothing, and its status states what it waits for")
    func waiting() throws {
        var carrier = try TestCarrier()
        try desktop.save("secret")
        _ = try start()
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", code)
        #expect(try laptop.status.problem?.contains("has not arrived") == true)
        for _ in 0..<3 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.status.state == .joining && laptop.status.problem?.contains("desktop") == true)
        #expect(try laptop.password() == nil)
        let device = try #require(try desktop.user.answer(to: SyncAnswer()).device)
        #expect(try desktop.user.answer(to: SyncAdmit(device: device, accept: false)).changed == false)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.password() == nil && laptop.status.state == .joining)
        #expect(try desktop.user.reasons(for: SyncAnswer()) == ["invitation-not-valid"])
        #expect(try laptop.user.answer(to: SyncStop(proof: .test)).changed)
        #expect(try laptop.status.state == .off)
    }

    @Test("Two answers to one code: neither machine is let in")
    func twoAnswers() throws {
        var carrier = try TestCarrier()
        let third = try SyncedService()
        _ = try start()
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", code)
        try join(third, named: "laptop", code)
        for _ in 0..<2 { try carrier.carry(desktop, laptop, third) }
        #expect(try desktop.user.reasons(for: SyncAnswer()) == ["invitation-not-valid"])
        #expect(try desktop.status.devices.count == 1)
    }

    @Test("An invitation ends after fifteen minutes, with the connection's vault, and by another one")
    func ended() throws {
        var carrier = try TestCarrier()
        _ = try start()
        let first = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        let second = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", first)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.user.answer(to: SyncAnswer()).device == nil)
        try laptop.user.answer(to: SyncStop(proof: .test))
        try join(laptop, named: "laptop", second)
        desktop.daemon.clock.advance(by: .milliseconds(Limits.invitationMilliseconds))
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.user.reasons(for: SyncAnswer()) == ["invitation-not-valid"])
    }

    @Test("An invitation's file is there no longer than its connection, its fifteen minutes, or the vault's being open")
    func withdrawn() throws {
        _ = try start()
        let other = try desktop.daemon.user()
        try other.answer(to: SyncInvite(proof: .test))
        #expect(desktop.outgoing(".invitation").count == 1)
        try other.disconnect()
        #expect(desktop.outgoing(".invitation") == [])

        try desktop.user.answer(to: SyncInvite(proof: .test))
        desktop.daemon.clock.advance(by: .milliseconds(Limits.invitationMilliseconds - 1))
        try desktop.daemon.settle()
        #expect(desktop.outgoing(".invitation").count == 1)
        desktop.daemon.clock.advance(by: .milliseconds(1))
        try desktop.daemon.settle()
        #expect(desktop.outgoing(".invitation") == [])

        try desktop.user.answer(to: SyncInvite(proof: .test))
        try desktop.user.answer(to: VaultLock())
        #expect(desktop.outgoing(".invitation") == [])
    }

    @Test("An invitation, and an attempt to join, of a daemon that was killed are removed at the next unlock")
    func killed() throws {
        var carrier = try TestCarrier()
        _ = try start()
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", code)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(laptop.outgoing(".answer").count == 1 && laptop.isOrdered)
        let invitation = URL(fileURLWithPath: try #require(desktop.outgoing(".invitation").first))
        let bytes = try Data(contentsOf: invitation)
        // A daemon that is not killed has removed it at its end.
        let ofDesktop = try desktop.restarted { try bytes.write(to: invitation) }
        #expect(desktop.outgoing(".invitation") == [] && !desktop.outgoing(".snap").isEmpty && desktop.isOrdered)
        #expect(try ofDesktop.answer(to: SyncStatus(proof: .test)).state == .active)
        let ofLaptop = try laptop.restarted()
        #expect(!laptop.isOrdered && laptop.outgoing() == [])
        #expect(try ofLaptop.answer(to: SyncStatus(proof: .test)).state == .off)
    }

    @Test("Stopping removes an order, and what is put out, of which the daemon has no memory")
    func stoppedUnknown() throws {
        try laptop.directory.write("data/sync/carrier.json", "{}")
        try laptop.directory.write("data/sync/out/group/device/answer", "x")
        #expect(try laptop.user.answer(to: SyncStop(proof: .test)).changed)
        #expect(!laptop.isOrdered && laptop.outgoing() == [])
        #expect(try !laptop.user.answer(to: SyncStop(proof: .test)).changed)
    }

    @Test("Stopping ends the attempt of another connection to join too that began while both waited for a backup")
    func stoppedWhileJoining() throws {
        _ = try start()
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        let (worker, other) = (try laptop.daemon.user(), try laptop.daemon.user())
        let backup = VaultBackup(path: laptop.directory.path + "/backup", proof: .test)
        let (_, first) = try laptop.daemon.begin(backup, worker)
        // The vault can be used then, but no other work on it begins.
        let work = try laptop.daemon.step(try #require(first))
        let joined = try other.send(
            SyncJoin(location: SyncedService.folder, code: code, name: "laptop", proof: .test))
        let stopped = try laptop.user.send(SyncStop(proof: .test))
        #expect(joined.waits && stopped.waits)
        try laptop.daemon.finish(try #require(work))
        try joined.answer()
        #expect(try stopped.answer().changed)
        #expect(try laptop.status.state == .off && !laptop.isOrdered)
    }

    @Test("A removed machine gets nothing new, and what it saves afterwards counts nowhere")
    func removed() throws {
        var carrier = try TestCarrier()
        try letIn(&carrier)
        let device = try #require(try desktop.status.devices.first { !$0.isThis }?.device)
        try desktop.user.answer(to: SyncRemove(device: device, proof: .test))
        try desktop.save("after the removal")
        try desktop.publish()
        try laptop.save("of the removed one", user: "bob")
        try laptop.publish()
        for _ in 0..<3 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.password() == nil && desktop.password(of: "bob") == nil)
        #expect(try laptop.status.state == .paused && laptop.status.problem?.contains("removed") == true)
        #expect(try desktop.status.devices.first { $0.device == device }?.isMember == false)
        let other = try #require(try laptop.status.devices.first { !$0.isThis }?.device)
        #expect(try laptop.user.reasons(for: SyncInvite(proof: .test)) == ["machine-removed"])
        #expect(try laptop.user.reasons(for: SyncRemove(device: other, proof: .test)) == ["machine-removed"])
    }

    @Test("The restored vault counts once everything was brought, for which no earlier or failed round is taken")
    func resumed() throws {
        var carrier = try TestCarrier()
        try letIn(&carrier)
        try desktop.save("restored")
        let path = desktop.directory.path + "/backup"
        try desktop.user.answer(to: VaultBackup(path: path, proof: .test))
        try desktop.save("newer")
        try desktop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.password() == "newer")
        try desktop.user.answer(to: VaultRestore(path: path, secret: .test, proof: .test))
        try carrier.carry(desktop, laptop)
        #expect(try desktop.status.state == .undecided && desktop.password() == "restored")

        let resume = SyncResume(counts: .vault, proof: .test)
        let refused = try desktop.user.send(resume)
        try carrier.report(to: desktop, token: nil)
        desktop.daemon.clock.advance(by: .seconds(10))
        try desktop.daemon.settle()
        #expect(refused.waits)
        try carrier.report(to: desktop, problem: .folderMissing)
        #expect(try refused.reasons() == ["sync-incomplete"] && desktop.status.state == .undecided)

        let late = try desktop.user.send(resume)
        desktop.daemon.clock.advance(by: .seconds(300))
        try desktop.daemon.settle()
        #expect(try late.reasons() == ["sync-incomplete"] && desktop.status.state == .undecided)

        let resumed = try desktop.user.send(resume)
        #expect(resumed.waits)
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try resumed.answer().changed && desktop.status.state == .active)
        try desktop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try laptop.password() == "restored" && desktop.password() == "restored")
    }

    /// Restores a backup on the desktop, from whose carrier a file is withheld that the laptop has merged.
    private func restoreWithheld(_ carrier: inout TestCarrier) throws {
        // A small snapshot would be replaced by one that has what is missing.
        for number in 0..<20 { try laptop.save("of the laptop", user: "user \(number)") }
        try letIn(&carrier)
        let path = desktop.directory.path + "/backup"
        try desktop.user.answer(to: VaultBackup(path: path, proof: .test))
        try desktop.save("newer")
        try desktop.publish()
        let newest = try #require((desktop.outgoing(".delta") + desktop.outgoing(".snap")).max())
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        try laptop.save("of the laptop", user: "bob")
        try laptop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        try desktop.user.answer(to: VaultRestore(path: path, secret: .test, proof: .test))
        // On another disk there is no spool of the former id either.
        try FileManager.default.removeItem(atPath: newest)
        carrier.withheld = URL(fileURLWithPath: newest).lastPathComponent
    }

    @Test("A restored vault counts nowhere while a file is missing that another machine has; whose it is, is named")
    func incomplete() throws {
        var carrier = try TestCarrier()
        try restoreWithheld(&carrier)
        let resume = SyncResume(counts: .vault, proof: .test)
        let early = try desktop.user.send(resume)
        try carrier.carry(desktop)
        let refused = try #require(try early.refusal()?.reasons.first)
        #expect(refused.reason == "sync-incomplete" && refused.fix.contains("files of desktop are missing"))
        #expect(refused.fix.contains("If that one is lost: autofillctl sync resume vault --accept-missing"))
        #expect(try desktop.status.state == .undecided)

        carrier.withheld = nil
        let resumed = try desktop.user.send(resume)
        try carrier.carry(desktop)
        #expect(try resumed.answer().changed && desktop.status.state == .active)
        #expect(try desktop.status.devices.allSatisfy { $0.missing == 0 })
    }

    @Test("Where the machine that has the missing file is lost, the restored vault counts once the user accepts that")
    func incompleteForGood() throws {
        var carrier = try TestCarrier()
        try restoreWithheld(&carrier)
        let lost = try #require(try desktop.status.devices.first { $0.name == "laptop" }?.device)
        #expect(try desktop.user.reasons(for: SyncRemove(device: lost, proof: .test)) == ["sync-undecided"])
        let resumed = try desktop.user.send(SyncResume(counts: .vault, acceptsMissing: true, proof: .test))
        #expect(resumed.waits)
        try carrier.carry(desktop)
        #expect(try resumed.answer().changed && desktop.status.state == .active)
        #expect(try desktop.password() == nil && desktop.status.devices.contains { $0.missing > 0 })
    }

    @Test("A backup that is restored on another machine is not resumed there, and joins again after a stop")
    func restoredElsewhere() throws {
        _ = try start()
        let path = desktop.directory.path + "/backup"
        try desktop.user.answer(to: VaultBackup(path: path, proof: .test))
        try laptop.user.answer(to: VaultRestore(path: path, secret: .test, proof: .test))
        #expect(try laptop.status.state == .undecided)
        for side in [SyncResume.Side.others, .vault] {
            let resume = SyncResume(counts: side, proof: .test)
            let refused = try #require(try laptop.user.refusal(of: resume)?.reasons.first)
            #expect(refused.reason == "sync-incomplete" && refused.fix.contains("autofillctl sync stop, then join"))
        }
        #expect(try laptop.user.answer(to: SyncStop(proof: .test)).changed)
        let code = try desktop.user.answer(to: SyncInvite(proof: .test)).code
        try join(laptop, named: "laptop", code)
        #expect(try laptop.status.state == .joining)
    }

    @Test("Only the recovery key removes a machine that came in earlier")
    func senior() throws {
        var carrier = try TestCarrier()
        let key = try carrier.letIn(laptop, by: desktop).recoveryKey
        let senior = try #require(try laptop.status.devices.first { !$0.isThis }?.device)
        #expect(try laptop.user.reasons(for: SyncRemove(device: senior, proof: .test)) == ["device-not-removable"])
        let mistyped = SecretBytes(utf8: "qqqq-qqqq")
        #expect(
            try laptop.user.reasons(for: SyncRemove(device: senior, recoveryKey: mistyped, proof: .test))
                == ["recovery-key-mistyped"])
        try laptop.user.answer(to: SyncRemove(device: senior, recoveryKey: key, proof: .test))
        for _ in 0..<2 { try carrier.carry(laptop, desktop) }
        #expect(try desktop.status.state == .paused)
    }

    @Test("A machine that is locked publishes and merges when it is unlocked")
    func locked() throws {
        var carrier = try TestCarrier()
        try letIn(&carrier)
        try laptop.save("new")
        try laptop.user.answer(to: VaultLock())
        try desktop.save("other", user: "bob")
        try desktop.publish()
        try laptop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.password() == nil)
        try laptop.user.answer(to: VaultUnlock(proof: .test))
        try laptop.daemon.settle()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try desktop.password() == "new" && laptop.password(of: "bob") == "other")
    }

    @Test(
        "Whoever changes the group brings the secret, is refused by the state it is in, and nothing is founded in memory"
    )
    func refused() throws {
        let start = SyncStart(location: SyncedService.folder, name: "desktop", proof: nil)
        #expect(try desktop.user.reasons(for: start) == ["proof-required"])
        #expect(try desktop.user.reasons(for: SyncInvite(proof: nil)) == ["proof-required"])
        #expect(try desktop.user.reasons(for: SyncInvite(proof: .test)) == ["sync-off"])
        #expect(
            try desktop.user.reasons(for: SyncRemove(device: String(repeating: "0", count: 32), proof: .test)) == [
                "sync-off"
            ])
        #expect(try desktop.user.reasons(for: SyncResume(counts: .others, proof: .test)) == ["sync-off"])
        #expect(try desktop.user.reasons(for: SyncAnswer()) == ["invitation-not-valid"])
        #expect(try desktop.user.answer(to: SyncStop(proof: .test)).changed == false)
        #expect(try desktop.status.state == .off)
        let code = SecretBytes(utf8: "qqqq-qqqq-qqqq-qqqq-qqqq-qqqq-qqqq-qqqr")
        #expect(
            try desktop.user.reasons(
                for: SyncJoin(location: SyncedService.folder, code: code, name: "laptop", proof: .test))
                == ["invitation-not-valid"])
        _ = try self.start()
        #expect(
            try desktop.user.reasons(for: SyncStart(location: SyncedService.folder, name: "again", proof: .test))
                == ["sync-on"])
        let inMemory = try TestService().user()
        #expect(
            throws: (any Error).self,
            performing: {
                try inMemory.answer(to: SyncStart(location: SyncedService.folder, name: "desktop", proof: .test))
            })
        #expect(try inMemory.answer(to: SyncStatus(proof: .test)).state == .off)
    }
}
