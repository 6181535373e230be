// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Passwords that were asked for before")
struct RecentIndexTests {
    private let vault: Vault
    private let id: ObjectID
    /// Of the row.
    private let number: Int64

    init() throws {
        let vault = try Vault.new()
        id = try vault.writers.credentials.save("shop.example", "ann", "one").id
        number = try Self.number(of: id, in: vault)
        #expect(try vault.password("shop.example", "ann") == "one")
        self.vault = vault
    }

    private static func number(of id: ObjectID, in vault: Vault) throws -> Int64 {
        let number = try vault.file.openDatabase.statements.records.byID.first(key: id.stored) { row in row.integer(4) }
        return try #require(number)
    }

    /// The number that is remembered.
    private func remembered(_ user: String) throws -> Int64? {
        let unlocked = try vault.store.unlocked
        return unlocked.orders.indexes.location(of: user, at: .domain("shop.example"), key: unlocked.keys.index).number
    }

    private func remove(_ id: ObjectID) throws {
        try vault.store.write { transaction throws(VaultError) in
            let credential: Credential? = try transaction.records.fetch(id)
            if let credential { try transaction.remove(credential) }
        }
    }

    @Test("The number of a row is remembered, also after others were asked for; what was saved since is found by it")
    func numberIsKept() throws {
        #expect(try remembered("ann") == number)
        #expect(try vault.password("shop.example", "bob") == nil)
        #expect(try remembered("bob") == nil && remembered("ann") == number)
        for password in ["two", "three"] {
            try vault.writers.credentials.save("shop.example", "ann", password)
            #expect(try vault.password("shop.example", "ann") == password)
        }
        #expect(try remembered("ann") == number)
    }

    @Test("One that was renamed is found by its new name only, and another that gets its former one is found by that")
    func renamed() throws {
        _ = try vault.writers.credentials.update(id, at: .at(1)) { $0.user = "bob" }
        for _ in 0..<2 {
            #expect(try vault.password("shop.example", "ann") == nil)
            #expect(try vault.password("shop.example", "bob") == "one")
        }
        try vault.writers.credentials.save("shop.example", "ann", "two")
        for _ in 0..<2 {
            #expect(try vault.password("shop.example", "ann") == "two")
            #expect(try vault.password("shop.example", "bob") == "one")
        }
    }

    @Test("One that was deleted is not found, and is found again once it is restored")
    func deleted() throws {
        _ = try vault.writers.credentials.delete(id, at: .at(1))
        for _ in 0..<2 { #expect(try vault.password("shop.example", "ann") == nil) }
        _ = try vault.writers.credentials.undelete(id, at: .at(2))
        for _ in 0..<2 { #expect(try vault.password("shop.example", "ann") == "one") }
    }

    @Test("Another that gets the number of a removed one is not found by the name of that")
    func reusedNumber() throws {
        try remove(id)
        #expect(try vault.password("shop.example", "ann") == nil)
        let other = try vault.writers.credentials.save("shop.example", "eve", "other").id
        #expect(try Self.number(of: other, in: vault) == number)
        for _ in 0..<2 {
            #expect(try vault.password("shop.example", "ann") == nil)
            #expect(try vault.password("shop.example", "eve") == "other")
        }
        let again = try vault.writers.credentials.save("shop.example", "ann", "again").id
        for _ in 0..<2 { #expect(try vault.password("shop.example", "ann") == "again") }
        #expect(try remembered("ann") == Self.number(of: again, in: vault))
    }

    @Test("One that is damaged is refused by its number as by its name")
    func damaged() throws {
        let file = try vault.file.openDatabase
        try file.access { connection throws(VaultError) in
            try connection.run("UPDATE record SET version = version + 1 WHERE number = \(number)")
        }
        for _ in 0..<2 { #expect(failure { _ = try vault.password("shop.example", "ann") } == .recordDamaged(id)) }
    }
}
