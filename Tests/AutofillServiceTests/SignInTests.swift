// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
import Support
import Testing

@Suite("Sign-in state")
struct SignInTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }

    private func ann(_ more: [String: Any] = [:]) -> [String: Any] {
        ["name": "Ann", "email": "ann@example.com", "password": "secret"].merging(more) { $1 }
    }

    private func isSignedIn(_ app: ServiceConnection) throws -> Bool? {
        try app.call("signIn.status").result?["signedIn"] as? Bool
    }

    private func has(_ app: ServiceConnection, _ account: String) throws -> Bool {
        try app.call("admin.verifier.export", ["service": "org.example.Shop", "account": account]).error == nil
    }

    @Test("Signed in is a current user and a verifier: without either nobody is")
    func both() throws {
        let shop = try connect(try TestService())
        #expect(try isSignedIn(shop) == false)
        try shop.call("signIn.start", ann())
        let user = try shop.call("signIn.status").result?["user"] as? [String: String]
        #expect(user == ["name": "Ann", "email": "ann@example.com"])
        let place = ["service": "org.example.Shop", "account": "ann@example.com"]
        let hash = try #require(try shop.call("admin.verifier.export", place).text("hash"))
        try shop.call("verifier.delete", place)
        #expect(try isSignedIn(shop) == false)
        #expect(try shop.call("signIn.status").result?["user"] is NSNull)
        try shop.call("admin.verifier.import", place.merging(["hash": hash]) { $1 })
        #expect(try isSignedIn(shop) == true)
        #expect(try shop.call("signIn.end").result?["changed"] as? Bool == true)
        #expect(try isSignedIn(shop) == false)
        #expect(try !has(shop, "ann@example.com"))
    }

    @Test("Each app has its own user, and another one that signs in takes the former's place")
    func others() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let bank = try connect(daemon, "org.example.Bank")
        try shop.call("signIn.start", ann())
        #expect(try isSignedIn(bank) == false)
        try shop.call("signIn.start", ["name": "Bob", "email": "bob@example.com", "password": "other"])
        #expect(try has(shop, "bob@example.com"))
        #expect(try !has(shop, "ann@example.com"))
        try shop.call("signIn.start", ["name": "Bob", "email": "bob@example.com", "password": "changed"])
        let check: [String: Any] = ["service": "org.example.Shop", "account": "bob@example.com", "password": "changed"]
        #expect(try shop.call("verifier.check", check).result?["right"] as? Bool == true)
    }

    @Test("Another program of the app is not told who is signed in, and signs nobody out")
    func otherProgram() throws {
        let daemon = try TestService()
        try connect(daemon).call("signIn.start", ann())
        let other = try connect(daemon, inode: 8)
        #expect(try other.call("signIn.status").reasons == ["grant-missing"])
        #expect(try other.call("signIn.end").reasons == ["grant-missing"])
        #expect(try other.call("signIn.start", ann()).reasons == ["grant-missing"])
        #expect(try other.call("signIn.start", ann(["email": "eve"])).reasons == ["grant-missing"])
    }

    @Test("Who is signed in is kept over a restart")
    func restart() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            try connect(daemon).call("signIn.start", ann())
            try daemon.close()
        }
        let daemon = try TestService(location: .directory(folder + "/vault"), isCreated: false)
        let shop = try connect(daemon)
        #expect(try shop.call("signIn.status").reasons == ["vault-locked"])
        try shop.call("vault.unlock", Examples.proof)
        #expect(try isSignedIn(shop) == true)
    }
}
