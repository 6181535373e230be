// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Support
import Testing

@Suite("Verifiers")
struct VerifierTests {
    private static var account: [String: Any] { ["place": ["service": "login", "account": "ann"]] }

    private func connect(_ daemon: TestService, inode: UInt64 = 7) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello()
        return connection
    }

    private func check(_ app: ServiceConnection, _ password: String) throws -> TestAnswer {
        try app.call("verifier.check", Self.account.merging(["password": password]) { $1 })
    }

    @Test("A password is known again in any normal form, and is not in what is exported")
    func roundTrip() throws {
        let shop = try connect(try TestService())
        let set = try shop.call("verifier.set", Self.account.merging(["password": "pässword"]) { $1 })
        #expect(set.text("verifier")?.hasPrefix("vrf_") == true)
        #expect(try check(shop, "pa\u{308}ssword").result?["right"] as? Bool == true)
        #expect(try check(shop, "password").result?["right"] as? Bool == false)
        let hash = try #require(try shop.call("admin.verifier.export", Self.account).text("hash"))
        #expect(hash.hasPrefix("$scrypt$ln=15,r=8,p=1$") && !hash.contains("ssword"))
    }

    @Test("Wrong passwords make each next try wait longer; a right one ends that, and so does a new password")
    func delays() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        try shop.call("admin.verifier.import", Self.account.merging(["hash": Examples.passwordHash]) { $1 })
        var delays: [Int] = []
        for _ in 0..<10 {
            #expect(try check(shop, "wrong").result?["right"] as? Bool == false)
            let answer = try check(shop, "pleaseletmein")
            #expect(answer.reasons == ["check-too-soon"])
            let data = answer.error?["data"] as? [String: Any]
            let reason = (data?["reasons"] as? [[String: Any]])?.first
            let delay = try #require(reason?["retryAfterMilliseconds"] as? Int)
            delays.append(delay)
            daemon.clock.advance(milliseconds: Int64(delay))
        }
        #expect(delays == [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
        #expect(try check(shop, "pleaseletmein").result?["right"] as? Bool == true)
        #expect(try check(shop, "wrong").result?["right"] as? Bool == false)
        let answer = try check(shop, "wrong").error?["data"] as? [String: Any]
        #expect((answer?["reasons"] as? [[String: Any]])?.first?["retryAfterMilliseconds"] as? Int == 250)
    }

    @Test("The count of failures is in the vault: a restart does not end it")
    func failuresAreKept() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            let shop = try connect(daemon)
            try shop.call("admin.verifier.import", Self.account.merging(["hash": Examples.passwordHash]) { $1 })
            #expect(try check(shop, "wrong").result?["right"] as? Bool == false)
            try daemon.close()
        }
        let daemon = try TestService(location: .directory(folder + "/vault"), isCreated: false)
        let shop = try connect(daemon)
        try shop.call("vault.unlock", Examples.proof)
        #expect(try check(shop, "pleaseletmein").reasons == ["check-too-soon"])
    }

    @Test("A wrong password counts also where the vault cannot take note of it")
    func unnoted() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/vault"))
        let shop = try connect(daemon)
        try shop.call("admin.verifier.import", Self.account.merging(["hash": Examples.passwordHash]) { $1 })
        try FileManager.default.moveItem(atPath: folder + "/vault/vault.sqlite", toPath: folder + "/elsewhere")
        #expect(try check(shop, "wrong").reasons == ["vault-replaced"])
        #expect(try check(shop, "pleaseletmein").reasons == ["check-too-soon"])
        daemon.clock.advance(milliseconds: 250)
        #expect(try check(shop, "wrong").reasons == ["vault-replaced"])
        daemon.clock.advance(milliseconds: 250)
        #expect(try check(shop, "pleaseletmein").reasons == ["check-too-soon"])
        try FileManager.default.moveItem(atPath: folder + "/elsewhere", toPath: folder + "/vault/vault.sqlite")
        daemon.clock.advance(milliseconds: 250)
        #expect(try check(shop, "pleaseletmein").result?["right"] as? Bool == true)
    }

    @Test("A weaker hash is made anew at the next right password, and not at a wrong one")
    func raised() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        try shop.call("admin.verifier.import", Self.account.merging(["hash": Examples.passwordHash]) { $1 })
        #expect(try check(shop, "wrong").result?["right"] as? Bool == false)
        #expect(try shop.call("admin.verifier.export", Self.account).text("hash") == Examples.passwordHash)
        daemon.clock.advance(milliseconds: 250)
        #expect(try check(shop, "pleaseletmein").result?["right"] as? Bool == true)
        let hash = try shop.call("admin.verifier.export", Self.account).text("hash")
        #expect(hash?.hasPrefix("$scrypt$ln=15,r=8,p=1$") == true)
        #expect(try check(shop, "pleaseletmein").result?["right"] as? Bool == true)
        #expect(try shop.call("admin.verifier.export", Self.account).text("hash") == hash)
    }

    @Test("Another program may check, and may not export, replace or delete without the person's word")
    func otherProgram() throws {
        let daemon = try TestService()
        let hash: [String: Any] = Self.account.merging(["hash": Examples.passwordHash]) { $1 }
        try connect(daemon).call("admin.verifier.import", hash)
        let other = try connect(daemon, inode: 8)
        #expect(try check(other, "pleaseletmein").result?["right"] as? Bool == true)
        #expect(try other.call("admin.verifier.export", Self.account).reasons == ["grant-missing"])
        #expect(try other.call("verifier.delete", Self.account).reasons == ["grant-missing"])
        #expect(try other.call("admin.verifier.import", hash).reasons == ["grant-missing"])
        let set = Self.account.merging(["password": "mine"]) { $1 }
        #expect(try other.call("verifier.set", set).reasons == ["grant-missing"])
    }
}
