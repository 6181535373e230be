// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// A commit makes the event loop wait for one sync. Writing the log back takes two more.
@Suite("Writing the log back")
struct WriteBackTests {
    private let directory: TemporaryDirectory
    private let vault: Vault

    init() throws {
        directory = try TemporaryDirectory()
        vault = try Vault.new(directory.vault)
        try vault.writers.credentials.insert(Credential.many(200))
        try vault.emptyLog()
    }

    private func file() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: directory.database)) }

    private var logLength: Int {
        get throws {
            try #require(FileManager.default.attributesOfItem(atPath: directory.database + "-wal")[.size] as? Int)
        }
    }

    private func save(_ numbers: Range<Int>) throws {
        for number in numbers { try vault.writers.credentials.save("new-\(number).example", "ann", "q\(number)") }
    }

    @Test("A log of 1,000 pages is left to another thread by every commit; later commits reuse its space")
    func anotherThread() throws {
        let before = try file()
        var count = 0
        while !vault.mustWriteBack, count < 2000 {
            try save(count..<count + 1)
            count += 1
        }
        #expect(vault.mustWriteBack && vault.hasLongLog)
        try save(count..<count + 5)
        #expect(try file() == before)
        let length = try logLength

        try vault.writeBack()
        #expect(!vault.mustWriteBack && !vault.hasLongLog)
        #expect(try file() != before)
        try save(count + 5..<count + 10)
        #expect(try logLength == length)
        #expect(try vault.check().isIntact)
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("new-\(count + 9).example", "ann") == "q\(count + 9)")
    }

    @Test("Where no thread does it, the commit that makes the log 32 MiB long writes it back")
    func last() throws {
        let before = try file()
        var count = 0
        while try file() == before, count < 12_000 {
            try save(count..<count + 100)
            count += 100
        }
        #expect(count < 12_000)
        // Each page has 24 bytes before it.
        #expect((8000 * 4120..<9000 * 4120).contains(try logLength))
        #expect(try vault.password("new-0.example", "ann") == "q0")
    }
}
