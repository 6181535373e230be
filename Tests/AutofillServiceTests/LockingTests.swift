// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import SecretMemory
import Settings
import Support
import Testing

@Suite("When the vault locks by itself")
struct LockingTests {
    private func daemon(_ change: (inout DaemonSettings) -> Void = { _ in }) throws -> TestService {
        var settings = DaemonSettings()
        change(&settings)
        return try TestService(settings: settings)
    }

    private func connect(_ daemon: TestService, as app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func vault(_ daemon: TestService) throws -> String? { try daemon.connect().greet().vault }

    @Test("It locks with the session and before sleep, unless the settings say otherwise")
    func signals() throws {
        for signal in [SessionSignal.locked, .fallsAsleep] {
            let locking = try daemon()
            try locking.follow(signal, keyFile: nil)
            #expect(try vault(locking) == "locked")
            let staying = try daemon { ($0.lockOnSessionLock, $0.lockBeforeSleep) = (false, false) }
            try staying.follow(signal, keyFile: nil)
            #expect(try vault(staying) == "unlocked")
        }
    }

    @Test(
        "What a key file opened at the start it opens again when the session or the machine is back, and nothing sooner"
    )
    func again() throws {
        let key = try TestFiles.keyFile()
        let daemon = try daemon()
        try daemon.follow(.locked, keyFile: key)
        try daemon.follow(.wokeUp, keyFile: key)
        #expect(try vault(daemon) == "locked")
        try daemon.follow(.unlocked, keyFile: nil)
        #expect(try vault(daemon) == "locked")
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try vault(daemon) == "unlocked")
        try daemon.follow(.fallsAsleep, keyFile: key)
        try daemon.follow(.wokeUp, keyFile: key)
        #expect(try vault(daemon) == "unlocked")
    }

    @Test("A session that was locked after the machine fell asleep keeps it locked when the machine wakes up")
    func sleepThenLock() throws {
        let key = try TestFiles.keyFile()
        let daemon = try daemon()
        try daemon.follow(.fallsAsleep, keyFile: key)
        try daemon.follow(.locked, keyFile: key)
        try daemon.follow(.wokeUp, keyFile: key)
        #expect(try vault(daemon) == "locked")
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try vault(daemon) == "unlocked")
    }

    @Test("Work that a locked session and sleep have stopped leaves nothing open when the machine wakes up")
    func lockThenSleepAtWork() throws {
        let key = try TestFiles.keyFile()
        let daemon = try daemon()
        let (_, work) = try daemon.begin(
            VaultCheck(proof: .test), try connect(daemon, as: "org.autofilld.autofillctl"))
        try daemon.follow(.locked, keyFile: key)
        try daemon.follow(.fallsAsleep, keyFile: key)
        try daemon.finish(try #require(work))
        try daemon.follow(.wokeUp, keyFile: key)
        #expect(try vault(daemon) == "locked")
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try vault(daemon) == "unlocked")
    }

    @Test("What the user locks at work stays locked, also where the session was locked before")
    func onRequestAtWork() throws {
        let key = try TestFiles.keyFile()
        let daemon = try daemon()
        let control = try connect(daemon, as: "org.autofilld.autofillctl")
        let (_, work) = try daemon.begin(VaultCheck(proof: .test), control)
        try daemon.follow(.locked, keyFile: key)
        let locked = try control.send(VaultLock())
        try daemon.finish(try #require(work))
        #expect(try !locked.answer().changed, "with the session")
        try daemon.follow(.unlocked, keyFile: key)
        #expect(try vault(daemon) == "locked")
    }

    @Test("A passphrase that was given before the session was locked opens nothing behind it; one given since does")
    func lockedMeanwhile() throws {
        let daemon = try TestService.withPassphrase(isLocked: true)
        let control = try connect(daemon, as: "org.autofilld.autofillctl")
        let unlock = VaultUnlock(proof: .passphrase(TestService.passphrase))
        let (_, work) = try daemon.begin(unlock, control)
        try daemon.follow(.locked, keyFile: nil)
        try daemon.finish(try #require(work))
        #expect(try vault(daemon) == "locked")
        try control.answer(to: VaultUnlock(proof: .test))
        #expect(try vault(daemon) == "unlocked")
    }

    @Test("A vault that is made while the session is being locked is locked again")
    func madeMeanwhile() throws {
        let daemon = try TestService(isCreated: false)
        let key = SecretBytes(copying: TestFiles.key, count: TestFiles.key.count)
        let (made, work) = try daemon.begin(
            VaultCreate(secrets: [.key(key)]), try connect(daemon, as: "org.autofilld.autofillctl"))
        try daemon.follow(.locked, keyFile: nil)
        try daemon.finish(try #require(work))
        #expect(try made.answer().slots.count == 1 && vault(daemon) == "locked")
    }

    @Test("What the user locked stays locked")
    func onRequest() throws {
        let daemon = try daemon()
        try connect(daemon, as: "org.autofilld.autofillctl").answer(to: VaultLock())
        for signal in [SessionSignal.locked, .unlocked, .fallsAsleep, .wokeUp] {
            try daemon.follow(signal, keyFile: try TestFiles.keyFile())
        }
        #expect(try vault(daemon) == "locked")
    }

    @Test("While the vault is lent for work, sleep waits until the work has stopped and the keys are gone")
    func lent() throws {
        let daemon = try daemon()
        let control = try connect(daemon, as: "org.autofilld.autofillctl")
        let shop = try connect(daemon)
        try shop.answer(to: EventSubscribe())
        let (check, work) = try daemon.begin(VaultCheck(proof: .test), control)
        let sleep = try daemon.follow(.fallsAsleep, keyFile: nil)
        #expect(sleep.result == nil)
        try daemon.finish(try #require(work))
        #expect(try check.reasons() == ["cancelled"])
        #expect(sleep.result != nil)
        #expect(try vault(daemon) == "locked")
        #expect(try shop.events().map(\.content) == [.vaultLocked(cause: "sleep")])
    }

    @Test("It locks after the idle time; reading the status is no use, what is answered from the vault is")
    func idle() throws {
        let daemon = try daemon { $0.lockWhenIdleMinutes = 2 }
        let shop = try connect(daemon)
        try shop.answer(to: EventSubscribe())
        daemon.clock.advance(milliseconds: 119_000)
        try shop.answer(to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "secret")))
        daemon.clock.advance(milliseconds: 119_000)
        try shop.answer(to: Status())
        try daemon.begin { await $0.keepUp() }
        #expect(try vault(daemon) == "unlocked")
        daemon.clock.advance(milliseconds: 1000)
        try daemon.begin { await $0.keepUp() }
        try daemon.settle()
        #expect(try vault(daemon) == "locked")
        #expect(try shop.events().last?.content == .vaultLocked(cause: "idle"))
    }
}
