// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("What is kept in memory of the vault's file")
struct CacheTests {
    @Test("It is let go when that is asked for, and what is saved is read again from the file")
    func released() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let large = String(repeating: "x", count: 30_000)
        let ids = try (0..<20).map { try vault.writers.items.add(["number": "\($0)"], data: large) }
        let full = vault.cachedBytes
        #expect(full > 20 * 30_000)
        vault.releaseCache()
        #expect(vault.cachedBytes < full / 4)
        #expect(try vault.found(["number": "7"]) == [ids[7]])
        #expect(try vault.readers.items.get(ids[7])?.data.text == large)
        vault.lock()
        #expect(vault.cachedBytes == 0)
    }

    @Test("Of a vault in memory nothing may be let go")
    func inMemory() throws {
        let vault = try Vault.new()
        let id = try vault.writers.items.add(["user": "ann"])
        #expect(vault.cachedBytes == 0)
        vault.releaseCache()
        #expect(try vault.found(["user": "ann"]) == [id])
    }
}
