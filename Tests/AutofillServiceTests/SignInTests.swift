// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Foundation
import SecretMemory
import Support
import Testing

@Suite("Sign-in state")
struct SignInTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.greet(as: app)
        return connection
    }

    private func start(
        _ name: String = "Ann", _ email: String = "ann@example.com", _ password: String = "secret"
    ) -> SignInStart {
        SignInStart(place: .init(account: email), name: name, password: SecretBytes(utf8: password))
    }

    private func isSignedIn(_ app: ServiceConnection) throws -> Bool {
        try app.answer(to: SignInStatus()).isSignedIn
    }

    private func has(_ app: ServiceConnection, _ account: String) throws -> Bool {
        try app.reasons(for: VerifierExport(namespace: "org.example.Shop", account: account)).isEmpty
    }

    @Test("Signed in is a current user and a verifier: without either nobody is")
    func both() throws {
        let shop = try connect(try TestService())
        #expect(try !isSignedIn(shop))
        try shop.answer(to: start())
        #expect(
            try shop.answer(to: SignInStatus()).user == SignInUser(name: "Ann", account: "ann@example.com"))
        let hash = try shop.answer(to: VerifierExport(namespace: "org.example.Shop", account: "ann@example.com")).hash
        try shop.answer(to: VerifierDelete(namespace: "org.example.Shop", account: "ann@example.com"))
        #expect(try !isSignedIn(shop))
        #expect(try shop.answer(to: SignInStatus()).user == nil)
        try shop.answer(to: VerifierSet(namespace: "org.example.Shop", account: "ann@example.com", hash: hash))
        #expect(try isSignedIn(shop))
        #expect(try shop.answer(to: SignInEnd()).changed)
        #expect(try !isSignedIn(shop))
        #expect(try !has(shop, "ann@example.com"))
    }

    @Test("Each app has its own user, and another one that signs in replaces the former")
    func others() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let bank = try connect(daemon, "org.example.Bank")
        try shop.answer(to: start())
        #expect(try !isSignedIn(bank))
        try shop.answer(to: start("Bob", "bob@example.com", "other"))
        #expect(try has(shop, "bob@example.com"))
        #expect(try !has(shop, "ann@example.com"))
        try shop.answer(to: start("Bob", "bob@example.com", "changed"))
        let check = VerifierCheck(
            namespace: "org.example.Shop", account: "bob@example.com", password: SecretBytes(utf8: "changed"))
        #expect(try shop.answer(to: check).isMatch)
    }

    @Test("The user who is signed in stays so where another cannot be signed in")
    func refused() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        try shop.answer(to: start())
        let hash = try shop.answer(to: VerifierExport(namespace: "org.example.Shop", account: "ann@example.com")).hash
        let (second, work) = try daemon.begin(start("Bob", "bob@example.com", "mine"), shop)
        try shop.answer(to: VerifierSet(namespace: "org.example.Shop", account: "bob@example.com", hash: hash))
        try daemon.finish(try #require(work))
        #expect(try second.reasons() == ["version-mismatch"])
        #expect(try shop.answer(to: SignInStatus()).user?.name == "Ann" && has(shop, "ann@example.com"))
    }

    @Test("Another program of the app does not learn who is signed in, and signs nobody out")
    func otherProgram() throws {
        let daemon = try TestService()
        try connect(daemon).answer(to: start())
        let other = try connect(daemon, inode: 8)
        #expect(try other.reasons(for: SignInStatus()) == ["grant-missing"])
        #expect(try other.reasons(for: SignInEnd()) == ["grant-missing"])
        #expect(try other.reasons(for: start()) == ["grant-missing"])
        #expect(try other.reasons(for: start("Ann", "eve")) == ["grant-missing"])
    }

    @Test("Who is signed in is kept over a restart")
    func restart() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            try connect(daemon).answer(to: start())
            try daemon.close()
        }
        let daemon = try TestService(location: .directory(folder + "/vault"), isCreated: false)
        let shop = try connect(daemon)
        #expect(try shop.reasons(for: SignInStatus()) == ["vault-locked"])
        try shop.answer(to: VaultUnlock(proof: .test))
        #expect(try isSignedIn(shop))
    }
}
