// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Credentials as what machines merge")
struct SyncedCredentialTests {
    private static let origin = FileOrigin(device: DeviceID(rawValue: 7), sequence: 1)

    private func writer(_ state: SyncState = SyncState(), at now: Int64 = 9000) -> SyncWriter<SeededGenerator> {
        SyncWriter(changing: state, origin: Self.origin, now: .at(now), entropy: SeededGenerator(seed: UInt64(now)))
    }

    private func shown(_ credential: Credential, in state: SyncState) throws -> Credential {
        let view = try #require(state.view(of: credential.id))
        return try #require(SyncedCredential.credential(view, in: state, over: credential, at: .at()) { _ in .shop })
    }

    @Test(
        "All that is synced of a credential is read back as it was, byte for byte",
        arguments: 1...5 as ClosedRange<UInt64>)
    func lossless(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for number in 0..<40 as Range<UInt64> {
            let credential = Credential.random(number, using: &generator)
            var writer = writer()
            writer.adopt(SyncedCredential.record(credential))
            #expect(try shown(credential, in: writer.state).withoutLocal.text == credential.withoutLocal.text)
        }
    }

    @Test("A save writes what differs, and nothing where nothing does", arguments: 1...5 as ClosedRange<UInt64>)
    func difference(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for number in 0..<40 as Range<UInt64> {
            let (old, other) = (Credential.random(number, using: &generator), Credential.random(99, using: &generator))
            var new = old
            (new.user, new.services, new.details, new.rules) = (other.user, old.services, other.details, other.rules)
            (new.passkeys, new.deleted) = (other.passkeys, other.deleted)
            new.password = other.password
            new.previous = Array(([.init(password: old.password, replaced: .at(9500))] + old.previous).prefix(10))
            new.setCode(other.oneTimeCode, by: .shop, at: .at(9500))
            var adopting = writer()
            adopting.adopt(SyncedCredential.record(old))
            var saving = writer(adopting.state, at: 9500)
            saving.save(SyncedCredential.record(new), over: SyncedCredential.record(old))
            #expect(try shown(new, in: saving.state).withoutLocal.text == new.withoutLocal.text)
            var again = writer(saving.state, at: 9600)
            again.save(SyncedCredential.record(new), over: SyncedCredential.record(new))
            #expect(again.operations.isEmpty)
        }
    }

    @Test("Two copies of one vault have the same elements")
    func copies() throws {
        var generator = SeededGenerator(seed: 3)
        let credential = Credential.random(1, using: &generator)
        var copy = credential
        (copy.version, copy.lastUsed, copy.writer) = (9, .at(5), .other)
        #expect(SyncedCredential.record(credential).elements == SyncedCredential.record(copy).elements)
    }

    @Test(
        "The counter of a code is beside the URI, which is read back as it was",
        arguments: [
            ("otpauth://hotp/x?secret=AA&counter=0", 0), ("otpauth://hotp/x?secret=AA&counter=41", 41),
            ("otpauth://hotp/x?secret=AA&counter=9007199254740991", 9_007_199_254_740_991),
            ("otpauth://hotp/x?secret=AA&counter=007", nil), ("otpauth://hotp/x?counter=5&secret=AA", nil),
            ("otpauth://totp/x?secret=AA&period=30", nil), ("", nil), ("12", nil),
        ] as [(String, UInt64?)])
    func counters(uri: String, counter: UInt64?) {
        let split = CodeCounter(splitting: SecretBytes(utf8: uri))
        #expect(split.value == counter)
        #expect(CodeCounter.joining(split.uri, split.value ?? 0).equals(SecretBytes(utf8: uri)))
    }
}
