// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Prompting
import SecretMemory
import Testing

@testable import Support

@Suite("Work that finds no thread")
struct BusyWorkerTests {
    @Test("Work on the vault that finds no thread is refused as busy, not as cancelled")
    func vaultWork() throws {
        let daemon = try TestService()
        let user = try daemon.user()
        daemon.parts.work.holdsNew = true
        try daemon.begin { try? await $0.pool.run(.vault, deadline: .milliseconds(1)) {} }
        daemon.parts.work.holdsNew = false
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        let refused = try #require(try user.refusal(of: VaultCheck(proof: .test)))
        #expect(refused.reasons.map(\.reason) == ["vault-busy"])
        daemon.parts.work.releaseAll()
        try daemon.settle()
        try user.answer(to: VaultCheck(proof: .test))
    }

    @Test("A passphrase that is typed while no thread can derive a key is answered as busy, and is no denial")
    func typedPassphrase() throws {
        let daemon = try TestService.withPassphrase(consent: .user, isLocked: true)
        daemon.parts.work.holdsNew = true
        try daemon.begin { try? await $0.pool.run(.keyDerivation, deadline: .milliseconds(1)) {} }
        daemon.parts.work.holdsNew = false
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        let shop = daemon.connect(.systemProgram)
        try shop.greet()
        let sent = try shop.send(VaultUnlock())
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        #expect(try sent.reasons() == ["key-derivation-busy"])
        daemon.parts.work.releaseAll()
        try daemon.settle()
        let again = try shop.send(VaultUnlock())
        try daemon.givePassphrase(.passphrase(TestService.passphrase))
        #expect(try again.answer().changed)
    }

    @Test("A guess waits for those before it as long as one of them may take, and no longer")
    func guesses() throws {
        let daemon = try TestService.withPassphrase()
        let user = try daemon.user()
        func guess() throws -> (SentCall<GrantList>, HeldWork?) {
            try daemon.begin(GrantList(proof: .passphrase(TestService.passphrase)), user)
        }
        let (first, firstWork) = try guess()
        daemon.clock.advance(milliseconds: 10_000)
        let (second, _) = try guess()
        let (third, _) = try guess()
        let limit = Int64(Limits.keyDerivationMilliseconds)
        daemon.clock.advance(milliseconds: limit - 20_000)
        let secondWork = try daemon.step(try #require(firstWork))
        #expect(try first.reasons().isEmpty && second.waits && third.waits)
        daemon.clock.advance(milliseconds: 20_000)
        try daemon.settle()
        #expect(second.waits)
        #expect(try third.reasons() == ["key-derivation-busy"])
        try daemon.finish(try #require(secondWork))
        #expect(try second.reasons().isEmpty)
    }
}
