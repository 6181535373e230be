// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A slot's cost is in the file, under a check sum that anyone can compute.
@Suite("The cost of a slot")
struct SlotCostTests {
    private static func slot(_ cost: PassphraseCost, seed: UInt8 = 1) -> NewSlot {
        NewSlot(
            kind: .passphrase, label: "", cost: cost, salt: [UInt8](repeating: seed, count: 32),
            wrappingKey: SecretBytes(copying: repeatElement(seed, count: 32), count: 32))
    }

    private static func row(_ id: Slot.ID, _ cost: PassphraseCost) throws -> SlotRow {
        var row = SlotRow(id: id, new: slot(cost))
        var entropy: any RandomNumberGenerator = SystemEntropy()
        try row.wrap(SecretBytes(count: 32) { _ in }, with: slot(cost).wrappingKey, using: &entropy)
        return row
    }

    /// attacks.md, the vault, 14
    @Test(
        "A slot that asks for more than a vault is made with is not tried, and is named; the others open as before",
        arguments: [(21, 8, 64), (18, 8, 1), (17, 8, 9), (17, 16, 1), (16, 8, 1)] as [(UInt8, UInt8, UInt8)])
    func forged(_ logN: UInt8, _ r: UInt8, _ p: UInt8) throws {
        let vault = try Vault.new()
        let forged = try Self.row(9, PassphraseCost(logN: logN, r: r, p: p))
        #expect(forged.isIntact)
        try vault.file.openDatabase.write { statements throws(VaultError) in try statements.slots.put.run(forged.values)
        }
        vault.lock()
        let outcome = try vault.slots.attempt(.passphrase("correct horse"), at: .at()).derive()
        #expect(outcome.tried.isEmpty && outcome.fault == .slotTooCostly(9))
        #expect(failure { _ = try vault.unlock(with: outcome, at: .at()) } == .slotTooCostly(9))
        #expect(try vault.unlock(.key()).findings == [.slotsChanged])
    }

    /// attacks.md, the vault, 14
    @Test("However many slots there are, an attempt tries no more than so much")
    func budget() throws {
        let rows = try (1...9).map { try Self.row($0, PassphraseCost(logN: 17, r: 8, p: $0 < 3 ? 8 : 5)) }
        let attempt = UnlockAttempt(secret: .passphrase("correct horse"), slots: rows)
        #expect(attempt.tryable.map(\.id) == [1, 2, 3, 4, 5])
        #expect(VaultLimits.passesAtOnce == 32)
    }

    @Test("A vault never gets passphrases that are not tried")
    func added() throws {
        let vault = try Vault.new()
        let strongest = PassphraseCost(logN: 17, r: 8, p: 8)
        for seed in 1...4 { _ = try vault.slots.add(Self.slot(strongest, seed: UInt8(seed)), at: .at()) }
        #expect(
            failure { _ = try vault.slots.add(Self.slot(.least, seed: 5), at: .at()) }
                == .unusableSecret(.tooManyPassphrases))
        #expect(try vault.slots.list().count == 5)
        _ = try vault.slots.add(.test(.key(9)), at: .at())
        #expect(try vault.check().isIntact)
    }

    @Test("What is measured as right for this machine is within the bounds, and no other cost makes a slot")
    func calibrated() throws {
        #expect(PassphraseCost.calibrated(to: .seconds(1000), measuredBy: ContinuousClock()).isAcceptable)
        var entropy = SystemEntropy()
        let secret = VaultSecret.passphrase("correct horse")
        for cost in [PassphraseCost(logN: 18, r: 8, p: 1), PassphraseCost(logN: 17, r: 8, p: 9)] {
            #expect(
                failure { _ = try NewSlot.derive(from: secret, label: "", cost: cost, using: &entropy) }
                    == .unusableSecret(.costTooHigh))
        }
    }
}
