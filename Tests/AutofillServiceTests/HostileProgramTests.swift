// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Settings
import Support
import Testing

/// What a hostile program of the same user can do, as the threat model states: each of these succeeds.
@Suite("A hostile program of the same user, where it succeeds")
struct HostileProgramTests {
    private func serviceWithSomethingSaved() throws -> TestService {
        let daemon = try TestService(consent: .user)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        return daemon
    }

    @Test("Under a grant for a script every script of the login that claims to be the app gets what is granted")
    func anyScript() throws {
        let daemon = try serviceWithSomethingSaved()
        let script = daemon.connect(.interpreter)
        try script.greet()
        let asked = try script.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try asked.answer().password.text == "s3cret")
        let another = daemon.connect(.interpreter)
        try another.greet()
        #expect(try another.answer(to: CredentialGet(service: .shop)).password.text == "s3cret")
        #expect(daemon.questions.isEmpty)
    }

    @Test("Under a grant for a registration that names no executables every program gets what is granted")
    func anyProgram() throws {
        let daemon = try serviceWithSomethingSaved()
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let allowed = try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(allowed.grants.map(\.executable) == [""])
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.greet()
        #expect(try hostile.answer(to: CredentialGet(service: .shop)).password.text == "s3cret")
        #expect(daemon.questions.isEmpty)
    }

    @Test("A program that creates the vault before the user does reads what they save in it")
    func vaultOfItsOwn() throws {
        let daemon = try TestService(isCreated: false)
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.greet(as: "org.example.Nobody")
        let key = SecretBytes(utf8: String(repeating: "7", count: Limits.keyBytes))
        try hostile.answer(to: VaultCreate(secrets: [.key(key)]))
        let app = daemon.connect()
        try app.greet()
        try app.answer(to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret")))
        let read = try hostile.answer(to: CredentialGet(service: .shop, proof: .key(key)))
        #expect(read.password.text == "s3cret")
    }

    @Test("A forged site statement makes the domain an app's, and releases nothing that was saved before")
    func forgedStatement() throws {
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { .listing(["org.example.Shop"], to: $0) }
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.greet()
        #expect(try hostile.reasons(for: CredentialGet(service: .shop)) == ["grant-missing"])
        let saved = try hostile.answer(
            to: CredentialSave(service: .shop, user: "new", password: SecretBytes(utf8: "its own")))
        #expect(saved.changed)
    }
}
