// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
import Support
import TestGround
import Testing

/// Locking writes the vault's log back; a long one would keep the event loop, and is for another thread.
@Suite("Locking a vault with a long log")
struct LongLogTests {
    private let directory: TemporaryDirectory
    private let daemon: TestService
    private let person: ServiceConnection
    private var log: String { directory.path + "/data/vault.sqlite-wal" }

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        for number in 0..<80 {
            let saved = try person.call(
                "credential.save",
                ["service": Examples.shop, "user": "u\(number)", "password": "secret", "proof": Examples.proof])
            #expect(saved.error == nil)
        }
        let length = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        try #require(try #require(length) > 1 << 19)
    }

    private func password(_ user: String) throws -> String? {
        try person.call("credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof])
            .text("password")
    }

    @Test("It is locked and its log gone when that is answered, and it opens again with all that was saved")
    func lock() throws {
        let locked = try person.call("admin.vault.lock")
        #expect(locked.result?["changed"] as? Bool == true)
        #expect(!FileManager.default.fileExists(atPath: log))
        #expect(try person.call("status").text("vault") == "locked")
        #expect(try person.call("admin.vault.lock").result?["changed"] as? Bool == false)
        #expect(try person.call("vault.unlock", Examples.proof).error == nil)
        for number in 0..<80 { #expect(try password("u\(number)") == "secret") }
    }

    @Test("It is locked with the session, and opens again with it by its key file")
    func session() throws {
        try daemon.follow(.locked, keyFile: TestFiles.keyFile())
        #expect(try person.call("status").text("vault") == "locked")
        #expect(!FileManager.default.fileExists(atPath: log))
        try daemon.follow(.unlocked, keyFile: TestFiles.keyFile())
        #expect(try password("u79") == "secret")
    }
}
