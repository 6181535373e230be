// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

/// Locking writes the vault's log back; a long one would keep the event loop, and is for another thread.
@Suite("Locking a vault with a long log")
struct LongLogTests {
    private let directory: TemporaryDirectory
    private let daemon: TestService
    private let user: ServiceConnection
    private var log: String { directory.path + "/data/vault.sqlite-wal" }

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        for number in 0..<80 {
            try user.answer(
                to: CredentialSave(
                    service: .shop, user: "u\(number)", password: SecretBytes(utf8: "secret"), proof: .test))
        }
        let length = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        try #require(try #require(length) > 1 << 19)
    }

    private func password(_ name: String) throws -> String {
        try user.answer(to: CredentialGet(service: .shop, user: name, proof: .test)).password.text
    }

    @Test("It is locked and its log removed when that is answered, and it opens again with all that was saved")
    func lock() throws {
        #expect(try user.answer(to: VaultLock()).changed)
        #expect(!FileManager.default.fileExists(atPath: log))
        #expect(try user.answer(to: Status()).vault == "locked")
        #expect(try !user.answer(to: VaultLock()).changed)
        try user.answer(to: VaultUnlock(proof: .test))
        for number in 0..<80 { #expect(try password("u\(number)") == "secret") }
    }

    @Test("It is locked with the session, and opens again with it by its key file")
    func session() throws {
        try daemon.follow(.locked, keyFile: TestFiles.keyFile())
        #expect(try user.answer(to: Status()).vault == "locked")
        #expect(!FileManager.default.fileExists(atPath: log))
        try daemon.follow(.unlocked, keyFile: TestFiles.keyFile())
        #expect(try password("u79") == "secret")
    }

    @Test("What the user locks no key file opens again, also where the session is locked before it is written back")
    func onRequest() throws {
        let (lock, work) = try daemon.begin(VaultLock(), user)
        try daemon.follow(.locked, keyFile: TestFiles.keyFile())
        try daemon.finish(try #require(work))
        #expect(try lock.answer().changed)
        try daemon.follow(.unlocked, keyFile: TestFiles.keyFile())
        #expect(try user.answer(to: Status()).vault == "locked")
    }

    @Test("A lock that is under way is cancelled no more: it answers when the log is removed")
    func cancelled() throws {
        let (lock, work) = try daemon.begin(VaultLock(), user)
        try user.cancel(lock)
        #expect(lock.waits && FileManager.default.fileExists(atPath: log))
        try daemon.finish(try #require(work))
        #expect(try lock.answer().changed)
        #expect(!FileManager.default.fileExists(atPath: log))
    }

    @Test("Once it is 4 MiB long another thread writes it back, between two requests")
    func writtenBack() throws {
        let path = directory.path + "/data/vault.sqlite"
        let file = { try Data(contentsOf: URL(fileURLWithPath: path)) }
        let before = try file()
        var number = 80
        while try file() == before, number < 1500 {
            try user.answer(
                to: CredentialSave(
                    service: .shop, user: "u\(number)", password: SecretBytes(utf8: "secret"), proof: .test))
            number += 1
        }
        #expect(number < 1500)
        let length = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        // A thousand pages with 24 bytes before each.
        #expect((1000 * 4120..<1100 * 4120).contains(try #require(length)))
        #expect(try password("u0") == "secret" && password("u\(number - 1)") == "secret")
    }
}
