// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import SecretMemory
import TestGround
import Testing

@Suite("Slots and unlocking")
struct SlotTests {
    @Test("A locked vault returns and accepts nothing, and opens again with the key")
    func lock() throws {
        let vault = try Vault.new()
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        vault.lock()
        #expect(vault.state == .locked && vault.counts == nil)
        #expect(failure { _ = try vault.password("shop.example", "ann") } == .locked)
        #expect(failure { try vault.writers.credentials.save("shop.example", "bob", "x") } == .locked)
        #expect(failure { try vault.releases.append(.test(1)) } == .locked)
        #expect(try vault.unlock(.key()).findings.isEmpty)
        #expect(try vault.password("shop.example", "ann") == "secret")
    }

    @Test("A passphrase, a key and a recovery key open the same vault; anything else does not")
    func threeKinds() throws {
        var generator = SeededGenerator(seed: 5)
        let recovery = RecoveryKey.random(using: &generator)
        let vault = try Vault.open(.memory)
        try vault.create(
            [.test(.passphrase("open barley"), label: "mine"), .test(.key(3)), .test(.recovery(recovery))], at: .at(1))
        try vault.writers.credentials.save("shop.example", "ann", "secret")
        #expect(try vault.slots.list().map(\.kind) == [.passphrase, .key, .recovery])
        #expect(try vault.slots.list().first?.cost == .least)
        #expect(try vault.slots.list().first?.label == "mine")
        #expect(try vault.slots.list().first?.created == .at(1))
        let typed = try RecoveryKey(typed: recovery.grouped)
        for secret in [.passphrase("open barley"), .key(3), .recovery(typed)] as [VaultSecret] {
            vault.lock()
            #expect(try vault.slots.list().first?.label == nil)
            try vault.unlock(secret)
            #expect(try vault.password("shop.example", "ann") == "secret")
        }
        vault.lock()
        #expect(failure { try vault.unlock(.passphrase("Open barley")) } == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(failure { try vault.unlock(.key(4)) } == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(vault.state == .locked)
    }

    @Test("Wrong secrets wait longer each time, five seconds at most, over a restart too, until a right one")
    func growingDelay() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        vault.lock()
        var now = Timestamp.at()
        var delays: [Int] = []
        for _ in 0..<8 {
            guard case .wrongSecret(let delay) = failure({ try vault.unlock(.key(9), at: now) }) else { break }
            delays.append(delay)
            let early = now.advanced(byMilliseconds: Int64(delay) - 1)
            #expect(failure { try vault.unlock(.key(), at: early) } == .tooSoon(retryAfterMilliseconds: 1))
            now = now.advanced(byMilliseconds: Int64(delay))
        }
        #expect(delays == [250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
        vault.close()

        let again = try Vault(
            at: directory.vault, program: "tests", entropy: SeededGenerator(seed: 2), openedAt: now)
        #expect(
            failure { try again.unlock(.key(), at: now.advanced(byMilliseconds: 4000)) }
                == .tooSoon(retryAfterMilliseconds: 1000))
        now = now.advanced(byMilliseconds: 5000)
        try again.unlock(.key(), at: now)
        again.lock()
        #expect(failure { try again.unlock(.key(9), at: now) } == .wrongSecret(retryAfterMilliseconds: 250))
    }

    @Test("Slots are added, changed and removed; the last one stays")
    func management() throws {
        let vault = try Vault.new()
        let first = try #require(try vault.slots.list().first?.id)
        let second = try vault.slots.add(.test(.key(8), label: "second"), at: .at(4))
        _ = try vault.slots.remove(first)
        #expect(failure { _ = try vault.slots.remove(second) } == .lastSlot)
        #expect(failure { _ = try vault.slots.remove(first) } == .noSuchSlot)
        _ = try vault.slots.change(second, to: .test(.key(11), label: "third"), at: .at(5))
        vault.lock()
        #expect(failure { try vault.unlock(.key(7)) } == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(try vault.unlock(.key(11), at: .at(250)).findings.isEmpty)
        #expect(try vault.slots.list().map(\.label) == ["third"])
        // An id is never given twice.
        #expect(try vault.slots.add(.test(.key(12)), at: .at()) > second)
    }

    @Test("A secret proves itself while the vault is unlocked, and a wrong one does not")
    func proof() throws {
        let vault = try Vault.new()
        let slot = try vault.slots.verify(vault.slots.attempt(.key(), at: .at()).derive(), at: .at())
        #expect(try vault.slots.list().map(\.id) == [slot])
        #expect(
            failure { _ = try vault.slots.verify(vault.slots.attempt(.key(1), at: .at()).derive(), at: .at()) }
                == .wrongSecret(retryAfterMilliseconds: 250))
        #expect(vault.state == .unlocked)
    }

    @Test("An outcome from before the slot was changed opens nothing")
    func staleOutcome() throws {
        let vault = try Vault.new()
        let outcome = try vault.slots.attempt(.key(), at: .at()).derive()
        let slot = try #require(try vault.slots.list().first?.id)
        _ = try vault.slots.change(slot, to: .test(.key(8)), at: .at())
        vault.lock()
        #expect(failure { _ = try vault.unlock(with: outcome, at: .at()) } == .noSuchSlot)
        #expect(vault.state == .locked)
    }

    @Test("A vault is made once, and not without a slot")
    func creation() throws {
        let vault = try Vault.open(.memory)
        #expect(failure { try vault.create([], at: .at()) } == .unusableSecret(.noSlot))
        #expect(failure { _ = try vault.slots.attempt(.key(), at: .at()) } == .missing)
        try vault.create([.test()], at: .at())
        #expect(failure { try vault.create([.test()], at: .at()) } == .exists)
    }

    @Test("What cannot be a slot's secret is refused")
    func unusable() throws {
        #expect(failure { _ = try NewSlot.test(.passphrase("")) } == .unusableSecret(.emptyPassphrase))
        #expect(failure { _ = try NewSlot.test(.key(SecretBytes(utf8: "short"))) } == .unusableSecret(.keyNot32Bytes))
        var generator = SeededGenerator(seed: 1)
        let weak = PassphraseCost(logN: 14, r: 8, p: 1)
        #expect(
            failure { _ = try NewSlot.derive(from: .passphrase("x"), label: "", cost: weak, using: &generator) }
                == .unusableSecret(.costTooLow))
    }

    @Test("A recovery key reads back in any case and grouping, and any one mistyped group is caught")
    func recoveryKey() throws {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<20 {
            let key = RecoveryKey.random(using: &generator)
            let shown = key.grouped.text
            #expect(shown.split(separator: "-").map(\.count) == [Int](repeating: 4, count: 8))
            for text in [shown, shown.lowercased(), shown.replacing("-", with: " "), shown.replacing("-", with: "")] {
                #expect(try RecoveryKey(typed: SecretBytes(utf8: text)).grouped.equals(key.grouped))
            }
            let groups = shown.split(separator: "-").map(String.init)
            let alphabet = Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
            for index in groups.indices {
                var wrong = groups
                repeat {
                    wrong[index] = String((0..<4).map { _ in alphabet.randomElement(using: &generator) ?? "Q" })
                } while wrong == groups
                let typed = SecretBytes(utf8: wrong.joined(separator: "-"))
                #expect(failure { _ = try RecoveryKey(typed: typed) } == .recoveryKeyMistyped)
            }
        }
        for text in ["", "QPZR", "1111-1111-1111-1111-1111-1111-1111-1111"] {
            #expect(failure { _ = try RecoveryKey(typed: SecretBytes(utf8: text)) } == .recoveryKeyMistyped)
        }
    }

    @Test("The cost is calibrated upwards only")
    func calibration() {
        let slow = PassphraseCost.calibrated(to: .zero, measuredBy: ContinuousClock())
        #expect(slow == .least)
    }
}
