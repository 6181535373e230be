// SPDX-License-Identifier: Apache-2.0
import AutofillService
import ConfigurationFiles
import Foundation
import Prompting
import Support
import Testing

@Suite("Suggestions with what is publicly known of sites")
struct SiteTests {
    private final class Knowledge {
        let folder = NSTemporaryDirectory() + "/known-\(UUID().uuidString)"
        var kept: String { folder + "/site-knowledge.json" }

        init() throws {
            try FileManager.default.createDirectory(atPath: folder + "/public", withIntermediateDirectories: true)
            try write("password-rules.json", #"{ "shop.example.com": { "password-rules": "minlength: 33;" } }"#)
            try write(
                "shared-credentials.json",
                #"[ { "shared": ["shop.example.com", "shop.example.org", "shop.example.net"] } ]"#)
            try write("change-password-URLs.json", #"{ "shop.example.com": "https://shop.example.com/pw" }"#)
            try write("websites-that-append-2fa-to-password.json", #"[ "shop.example.com" ]"#)
            _ = try SiteKnowledgeFile.replace(kept, withFilesOf: folder + "/public")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        private func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/public/\(name)"))
        }
    }

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        return connection
    }

    private func save(_ person: ServiceConnection, _ domain: String, _ user: String) throws -> String {
        let saved = try person.call(
            "credential.save",
            [
                "service": ["type": "domain", "value": domain], "user": user, "password": "of \(user)",
                "proof": Examples.proof,
            ])
        return try #require(saved.text("credential"))
    }

    private func suggest(_ app: ServiceConnection, _ fields: [[String: Any]]) throws -> TestAnswer {
        try app.call("autofill.suggest", ["service": Examples.shop, "fields": fields])
    }

    private func users(_ answer: TestAnswer, _ member: String) -> [String] {
        let list = answer.suggestion("savedCredentials")?[member] as? [[String: Any]] ?? []
        return list.compactMap { $0["user"] as? String }
    }

    @Test("The site's rules hold where the field gives none, and the answer says so and where to change a password")
    func rules() throws {
        let knowledge = try Knowledge()
        let shop = try connect(try TestService(siteKnowledge: knowledge.kept))
        var fields = Examples.signUp
        fields[1]["passwordRules"] = nil
        let answer = try suggest(shop, fields)
        let strong = try #require(answer.suggestion("strongPassword"))
        #expect(strong["length"] as? Int ?? 0 >= 33)
        #expect((strong["diagnostics"] as? [String])?.first?.contains("known for shop.example.com") == true)
        let site = try #require(answer.result?["site"] as? [String: Any])
        #expect(site["changePassword"] as? String == "https://shop.example.com/pw")
        #expect(site["appendsCode"] as? Bool == true)
        let own = try #require(try suggest(shop, Examples.signUp).suggestion("strongPassword"))
        #expect(own["length"] as? Int ?? 0 < 33)
    }

    @Test("Without the files all works, and an import is seen without a restart")
    func seen() throws {
        let folder = NSTemporaryDirectory() + "/known-\(UUID().uuidString)"
        let daemon = try TestService(siteKnowledge: folder + "/site-knowledge.json")
        let shop = try connect(daemon)
        #expect(try suggest(shop, Examples.signUp).result?["site"] == nil)
        let knowledge = try Knowledge()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try SiteKnowledgeFile.replace(folder + "/site-knowledge.json", withFilesOf: knowledge.folder + "/public")
        try daemon.onEngine { $0.lookAtFiles() }
        #expect(try suggest(shop, Examples.signUp).result?["site"] != nil)
    }

    private func allow(_ person: ServiceConnection, _ domain: String) throws -> TestAnswer {
        try person.call(
            "admin.grant.allow",
            [
                "bundleID": "org.example.Shop", "service": ["type": "domain", "value": domain],
                "proof": Examples.proof,
            ])
    }

    @Test("What partner sites have is suggested and filled under the person's word for each, not under the site's own")
    func shared() throws {
        let knowledge = try Knowledge()
        let daemon = try TestService(siteKnowledge: knowledge.kept)
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let partner = try save(person, "shop.example.org", "ann")
        let stranger = try save(person, "other.example.org", "eve")
        let own = try save(person, "shop.example.com", "bob")
        let shop = try connect(daemon)
        let there: [String: Any] = ["service": ["type": "domain", "value": "shop.example.org"]]
        let before = try suggest(shop, Examples.signIn)
        #expect(before.types == ["savedCredentials"])
        #expect(users(before, "credentials").isEmpty && users(before, "shared").isEmpty)
        #expect(try allow(person, "shop.example.com").error == nil)
        let after = try suggest(shop, Examples.signIn)
        #expect(users(after, "credentials") == ["bob"] && users(after, "shared").isEmpty)
        #expect(try shop.call("autofill.fill", ["credential": own]).text("password") == "of bob")
        for (method, parameters) in [
            ("autofill.fill", ["credential": partner]), ("credential.list", there), ("credential.get", there),
            ("code.get", there),
        ] as [(String, [String: Any])] {
            #expect(try shop.call(method, parameters).reasons == ["grant-missing"], "\(method)")
        }
        #expect(try allow(person, "shop.example.org").error == nil)
        #expect(users(try suggest(shop, Examples.signIn), "shared") == ["ann"])
        #expect(try shop.call("autofill.fill", ["credential": partner]).text("password") == "of ann")
        #expect(try shop.call("credential.get", there).text("password") == "of ann")
        // Nothing is saved or removed across a group, and no other domain is in it.
        let save = there.merging(["user": "ann", "password": "other"]) { $1 }
        #expect(try shop.call("credential.save", save).reasons == ["domain-not-associated"])
        #expect(try shop.call("credential.delete", ["credential": partner]).reasons == ["domain-not-associated"])
        // Another site's is as unknown as nobody's.
        for method in ["autofill.fill", "credential.delete"] {
            let nobodys = "crd_" + String(repeating: "0", count: 32)
            let answers = try [stranger, nobodys].map { try shop.call(method, ["credential": $0]) }
            #expect(answers.allSatisfy { $0.reasons == ["credential-not-found"] }, "\(method)")
            #expect(answers[0].error as NSDictionary? == answers[1].error as NSDictionary?, "\(method)")
        }
        #expect(try allow(person, "other.example.org").reasons == ["domain-not-associated"])
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try bank.call("autofill.fill", ["credential": partner]).text("password") == nil)
    }

    @Test("A remembered no for a partner site holds, whatever its group was allowed")
    func deniedPartner() throws {
        let knowledge = try Knowledge()
        let daemon = try TestService(consent: .fixed(.never), siteKnowledge: knowledge.kept)
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let partner = try save(person, "shop.example.org", "ann")
        _ = try save(person, "shop.example.com", "bob")
        let shop = daemon.connect(.systemProgram)
        try shop.hello()
        #expect(try allow(person, "shop.example.com").error == nil)
        for _ in 0..<2 {
            #expect(try shop.call("autofill.fill", ["credential": partner]).reasons == ["grant-denied"])
            #expect(users(try suggest(shop, Examples.signIn), "shared").isEmpty)
        }
    }

    @Test("The app's other associated domains come after the site's own, each under a word of its own")
    func related() throws {
        let folder = try TestRegistrations([
            "org.example.Shop": """
            { "bundleID": "org.example.Shop", "name": "Shop", "entitlements": {
                "com.apple.developer.associated-domains":
                  ["webcredentials:shop.example.com", "webcredentials:id.example.com"],
                "com.apple.developer.authentication-services.autofill-credential-provider": true } }
            """
        ])
        let daemon = try TestService(registrations: folder.path)
        let person = try connect(daemon, "org.autofilld.autofillctl")
        _ = try save(person, "shop.example.com", "ann")
        let other = try save(person, "id.example.com", "bob")
        let shop = try connect(daemon)
        for (domain, expected) in [("shop.example.com", []), ("id.example.com", ["bob"])] {
            try person.call(
                "admin.grant.allow",
                [
                    "bundleID": "org.example.Shop", "service": ["type": "domain", "value": domain],
                    "proof": Examples.proof,
                ])
            let answer = try suggest(shop, Examples.signIn)
            #expect(users(answer, "credentials") == ["ann"])
            #expect(users(answer, "related") == expected)
        }
        #expect(try shop.call("autofill.fill", ["credential": other]).text("password") == "of bob")
    }
}
