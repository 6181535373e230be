// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import SecretMemory
import Support
import Testing

@Suite("Verifiers")
struct VerifierTests {
    private static let export = VerifierExport(namespace: "login", account: "ann")
    private static let importing = VerifierSet(
        namespace: "login", account: "ann", hash: SecretBytes(utf8: Examples.passwordHash))

    private func connect(_ daemon: TestService, inode: UInt64 = 7) throws -> ServiceConnection {
        try daemon.connect(as: "org.example.Shop", inode: inode)
    }

    /// An app with a verifier of `pleaseletmein`, with a weaker hash than those that are made here.
    private func shop(_ daemon: TestService) throws -> ServiceConnection {
        let shop = try connect(daemon)
        try shop.answer(to: Self.importing)
        return shop
    }

    private func set(_ password: String) -> VerifierSet {
        VerifierSet(namespace: "login", account: "ann", password: SecretBytes(utf8: password))
    }

    private func check(_ password: String) -> VerifierCheck {
        VerifierCheck(namespace: "login", account: "ann", password: SecretBytes(utf8: password))
    }

    private func isMatch(_ app: ServiceConnection, _ password: String) throws -> Bool {
        try app.answer(to: check(password)).isMatch
    }

    @Test("A password is known again in any normal form, and is not in what is exported")
    func roundTrip() throws {
        let shop = try connect(try TestService())
        #expect(try shop.answer(to: set("pässword")).verifier.hasPrefix("vrf_"))
        #expect(try isMatch(shop, "pa\u{308}ssword"))
        #expect(try !isMatch(shop, "password"))
        let hash = try shop.answer(to: Self.export).hash.text
        #expect(hash.hasPrefix("$scrypt$ln=15,r=8,p=1$") && !hash.contains("ssword"))
    }

    @Test("Wrong passwords make each next try wait longer; a right one ends that, and so does a new password")
    func delays() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        var delays: [Int] = []
        for _ in 0..<10 {
            #expect(try !isMatch(shop, "wrong"))
            let refused = try #require(try shop.refusal(of: check("pleaseletmein")))
            #expect(refused.reasons.map(\.reason) == ["check-too-soon"])
            let delay = try #require(refused.retryAfter)
            delays.append(delay)
            daemon.clock.advance(milliseconds: Int64(delay))
        }
        #expect(delays == [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
        #expect(try isMatch(shop, "pleaseletmein"))
        #expect(try !isMatch(shop, "wrong"))
        #expect(try shop.refusal(of: check("wrong"))?.retryAfter == 250)
        try shop.answer(to: set("another"))
        #expect(try isMatch(shop, "another"), "at once")
    }

    /// A wrong password under a clock that is ahead by `lead`, and then a daemon with the right time.
    private func restarted(after lead: Duration, _ folder: String) throws -> ServiceConnection {
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            let shop = try shop(daemon)
            daemon.clock.advance(by: lead)
            #expect(try !isMatch(shop, "wrong"))
            try daemon.close()
        }
        let shop = try connect(try TestService(location: .directory(folder + "/vault"), isCreated: false))
        try shop.answer(to: VaultUnlock(proof: .test))
        return shop
    }

    @Test("The count of failures is in the vault: a restart does not end it")
    func failuresAreKept() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try restarted(after: .zero, folder).reasons(for: check("pleaseletmein")) == ["check-too-soon"])
    }

    @Test("A failure under a clock that was ahead makes nobody wait once the clock is right")
    func clockAhead() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try isMatch(try restarted(after: .seconds(86_400), folder), "pleaseletmein"))
    }

    @Test("A wrong password counts also where the vault cannot record it")
    func unnoted() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/vault"))
        let shop = try shop(daemon)
        try FileManager.default.moveItem(atPath: folder + "/vault/vault.sqlite", toPath: folder + "/elsewhere")
        for _ in 0..<2 {
            #expect(try shop.reasons(for: check("wrong")) == ["vault-replaced"])
            #expect(try shop.reasons(for: check("pleaseletmein")) == ["check-too-soon"])
            daemon.clock.advance(milliseconds: 250)
        }
        #expect(try shop.reasons(for: check("pleaseletmein")) == ["check-too-soon"])
        try FileManager.default.moveItem(atPath: folder + "/elsewhere", toPath: folder + "/vault/vault.sqlite")
        daemon.clock.advance(milliseconds: 250)
        #expect(try isMatch(shop, "pleaseletmein"))
    }

    @Test("A weaker hash is made again at the next right password, and not at a wrong one")
    func raised() throws {
        let daemon = try TestService()
        let shop = try shop(daemon)
        #expect(try !isMatch(shop, "wrong"))
        #expect(try shop.answer(to: Self.export).hash.text == Examples.passwordHash)
        daemon.clock.advance(milliseconds: 250)
        #expect(try isMatch(shop, "pleaseletmein"))
        let hash = try shop.answer(to: Self.export).hash.text
        #expect(hash.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try isMatch(shop, "pleaseletmein"))
        #expect(try shop.answer(to: Self.export).hash.text == hash)
    }

    @Test("Another program may check, and may not export, replace or delete without the user's consent")
    func otherProgram() throws {
        let daemon = try TestService()
        _ = try shop(daemon)
        let other = try connect(daemon, inode: 8)
        #expect(try isMatch(other, "pleaseletmein"))
        #expect(try other.reasons(for: Self.export) == ["grant-missing"])
        #expect(try other.reasons(for: VerifierDelete(namespace: "login", account: "ann")) == ["grant-missing"])
        #expect(try other.reasons(for: Self.importing) == ["grant-missing"])
        #expect(try other.reasons(for: set("mine")) == ["grant-missing"])
    }
}
