// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Settings
import Support
import Testing

/// What a hostile program of the same user can do, as the threat model says: each of these succeeds.
@Suite("A hostile program of the same user, where it succeeds")
struct HostileProgramTests {
    private func serviceWithSomethingSaved() throws -> TestService {
        let daemon = try TestService(consent: .person)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        return daemon
    }

    @Test("Under a grant for a script every script of the login that says it is the app gets what is granted")
    func anyScript() throws {
        let daemon = try serviceWithSomethingSaved()
        let script = daemon.connect(.interpreter)
        try script.hello()
        _ = try script.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try script.answers().map { $0.text("password") } == ["s3cret"])
        let another = daemon.connect(.interpreter)
        try another.hello()
        #expect(try another.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(daemon.questions.isEmpty)
    }

    @Test("Under a grant for a registration that names no executables every program gets what is granted")
    func anyProgram() throws {
        let daemon = try serviceWithSomethingSaved()
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let allowed = try person.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        let grants = allowed.result?["grants"] as? [[String: Any]]
        #expect(grants?.map { $0["executable"] as? String } == [""])
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.hello()
        #expect(try hostile.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(daemon.questions.isEmpty)
    }

    @Test("Who makes the vault before the person does reads what they save in it")
    func vaultOfItsOwn() throws {
        let daemon = try TestService(isCreated: false)
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.hello("org.example.Nobody")
        let key: [String: Any] = ["key": ["base64": Data(repeating: 7, count: 32).base64EncodedString()]]
        #expect(try hostile.call("admin.vault.create", key).error == nil)
        let app = daemon.connect()
        try app.hello()
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
        let read = try hostile.call("credential.get", ["service": Examples.shop, "proof": key])
        #expect(read.text("password") == "s3cret")
    }

    @Test("A site's word that is not the site's makes the domain an app's, and releases nothing that was saved before")
    func falseWord() throws {
        let daemon = try TestService(siteAssociation: .required)
        daemon.sites = { .listing(["org.example.Shop"], to: $0) }
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let hostile = daemon.connect(.process(path: "/home/user/hostile", inode: 66))
        try hostile.hello()
        #expect(try hostile.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        let saved = try hostile.call(
            "credential.save", ["service": Examples.shop, "user": "new", "password": "its own"])
        #expect(saved.result?["changed"] as? Bool == true)
    }
}
