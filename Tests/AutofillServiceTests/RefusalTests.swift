// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Reasons
import Support
import Testing

@Suite("Refusals")
struct RefusalTests {
    @Test("An app without an associated domain causes Apple's line, byte for byte, once, with its fix beside it")
    func appleLine() throws {
        let daemon = try TestService()
        let app = daemon.connect()
        try app.hello("org.example.NotSetUp")
        for _ in 0..<2 {
            let answer = try app.call(
                "autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
            #expect(answer.withheld["strongPassword"] == ["associated-domains-missing"])
        }
        let events = daemon.journal.filter { $0.refusal != nil }
        #expect(
            events.map(\.message) == [
                "[AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.NotSetUp due to error: "
                    + "Cannot save passwords for this app. Make sure you have set up Associated Domains for your app and "
                    + "AutoFill Passwords is enabled in Settings"
            ])
        #expect(events.first?.domain == "shop.example.com")
        #expect(events.first?.refusal?.fix.contains("autofillctl app register org.example.NotSetUp.json") == true)
        #expect(events.first?.requester?.processID == 4242)
    }

    @Test("An app that is not registered, and one that asks for a domain that is not its own, are refused")
    func notTheirs() throws {
        let daemon = try TestService()
        let unknown = daemon.connect()
        try unknown.hello("org.example.Unknown")
        let shop = daemon.connect()
        try shop.hello()
        let save: [String: Any] = ["service": Examples.bank, "user": "ann", "password": "x"]
        #expect(try unknown.call("credential.save", save).reasons == ["app-not-registered"])
        #expect(try shop.call("credential.save", save).reasons == ["domain-not-associated"])
        #expect(try shop.call("credential.get", ["service": Examples.bank]).reasons == ["domain-not-associated"])
    }

    @Test("What another connection saved is given only under a grant, whether or not it is there")
    func grants() throws {
        let daemon = try TestService()
        let first = daemon.connect()
        try first.hello()
        try first.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
        let second = daemon.connect()
        try second.hello()
        let saved = try second.call("credential.get", ["service": Examples.shop, "user": "ann"])
        let absent = try second.call("credential.get", ["service": Examples.shop, "user": "nobody"])
        #expect(saved.reasons == ["grant-missing"] && absent.reasons == ["grant-missing"])
        let forbidden = try second.call(
            "credential.get", ["service": Examples.shop, "user": "ann", "interaction": "forbid"])
        #expect(forbidden.reasons == ["interaction-required"])

        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        let grant: [String: Any] = ["bundleID": "org.example.Shop", "service": Examples.shop]
        #expect(try administrator.call("admin.grant.allow", grant).reasons == ["proof-required"])
        #expect(
            try administrator.call("admin.grant.allow", grant.merging(["proof": Examples.wrongProof]) { $1 }).reasons
                == [
                    "proof-wrong"
                ])
        daemon.clock.advance(milliseconds: 60_000)
        let allowed = try administrator.call("admin.grant.allow", grant.merging(["proof": Examples.proof]) { $1 })
        #expect(allowed.result?["changed"] as? Bool == true)
        let released = try second.call("credential.get", ["service": Examples.shop, "user": "ann"])
        #expect(released.text("password") == "s3cret")
        let list = try administrator.call("admin.grant.list", ["proof": Examples.proof])
        let id = try #require((list.result?["grants"] as? [[String: Any]])?.first?["grant"] as? String)
        try administrator.call("admin.grant.revoke", ["grant": id, "proof": Examples.proof])
        #expect(
            try second.call("credential.get", ["service": Examples.shop, "user": "ann"]).reasons == ["grant-missing"])
    }

    @Test("The user's consent decides where someone can be asked: once, remembered, denied, never")
    func consent() throws {
        for (script, expected) in [
            ("* * once", [[], ["consent-denied"]]), ("* * allow", [[], []]),
            ("* * deny", [["consent-denied"], ["consent-denied"]]),
            ("* * never", [["grant-denied"], ["grant-denied"]]),
        ] {
            // The evidence has no content hash, so that nothing could be remembered: this one has a system program.
            let daemon = try TestService(consent: .scripted(try ConsentScript(script)))
            let first = daemon.connect(.systemProgram)
            try first.hello()
            try first.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
            let second = daemon.connect(.systemProgram)
            try second.hello()
            let answers = try (0..<2).map { _ in
                try second.call("credential.get", ["service": Examples.shop, "user": "ann"]).reasons
            }
            #expect(answers == expected, "\(script)")
        }
    }

    @Test("A peer that has ended or become another program gets nothing more")
    func peers() throws {
        for (refusal, reason) in [(PeerRefusal.ended, "peer-ended"), (.executableChanged, "peer-changed")] {
            let daemon = try TestService()
            final class Flag { var isSet = false }
            let flag = Flag()
            let app = daemon.connect(confirm: { () throws(PeerRefusal) in if flag.isSet { throw refusal } })
            try app.hello()
            try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
            flag.isSet = true
            #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == [reason])
        }
    }

    @Test("A peer that has become another program receives no user names")
    func names() throws {
        let daemon = try TestService()
        final class Flag { var isSet = false }
        let flag = Flag()
        let app = daemon.connect(
            confirm: { () throws(PeerRefusal) in if flag.isSet { throw PeerRefusal.executableChanged } })
        try app.hello()
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
        try app.call("keychain.set", ["place": ["namespace": "tokens", "account": "ann"], "data": ["base64": "AA=="]])
        try app.call("signIn.start", ["name": "Ann", "place": ["account": "ann@example.com"], "password": "secret"])
        flag.isSet = true
        for (method, parameters) in [
            ("credential.list", ["service": Examples.shop]), ("keychain.search", ["place": ["namespace": "tokens"]]),
            ("signIn.status", [:]),
            ("autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signIn]]),
        ] as [(String, [String: Any])] {
            #expect(try app.call(method, parameters).reasons == ["peer-changed"], "\(method)")
        }
        let signUp: [String: Any] = ["service": Examples.shop, "form": ["fields": Examples.signUp]]
        #expect(try app.call("autofill.suggest", signUp).reasons == ["peer-changed"])
    }

    @Test("A registration that was taken away counts no more for those who are connected")
    func registrationRemoved() throws {
        let text = try String(contentsOfFile: TestFiles.registrations + "/org.example.Shop.json", encoding: .utf8)
        let folder = try TestRegistrations(["org.example.Shop": text])
        let daemon = try TestService(registrations: folder.path)
        let app = daemon.connect()
        try app.hello()
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "s3cret"]
        #expect(try app.call("credential.save", save).error == nil)
        try FileManager.default.removeItem(atPath: folder.path + "/org.example.Shop.json")
        try daemon.onEngine { $0.readFiles() }
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["app-not-registered"])
        #expect(try app.call("credential.save", save).reasons == ["app-not-registered"])
    }

    @Test("A wildcard that is none is refused before it is in any text")
    func wildcards() throws {
        let app = try TestService().connect()
        try app.hello()
        #expect(try app.call("admin.domain.get", ["domain": "*.a\u{202E}b; rm -r /"]).problem == "parameter-invalid")
        #expect(try app.call("admin.domain.get", ["domain": "*.other.example"]).reasons == ["domain-not-associated"])
    }

    @Test("A refusal that requires waiting states for how long, and a fault of the storage names itself")
    func words() throws {
        let daemon = try TestService()
        let app = daemon.connect()
        try app.hello()
        let answers = try (0..<2).map { _ in try app.call("admin.grant.list", ["proof": Examples.wrongProof]) }
        #expect(answers.map(\.reasons) == [["proof-wrong"], ["proof-too-soon"]])
        let reasons = (answers[1].error?["data"] as? [String: Any])?["reasons"] as? [[String: Any]]
        #expect(reasons?.first?["fix"] as? String == "Wait a second, then try again")
        #expect(VaultError.tooSoon(retryAfterMilliseconds: 4001).refusal.fix == "Wait 5 seconds, then try again")
        #expect(VaultError.failed(code: 1546).refusal.fix.contains("error 1546"))
    }

    @Test("With proof everything can be listed, read and deleted; without it nothing of another app's")
    func administer() throws {
        let daemon = try TestService()
        let shop = daemon.connect()
        try shop.hello()
        let id = try #require(
            try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
                .text("credential"))
        let other = daemon.connect()
        try other.hello("org.autofilld.autofillctl")
        #expect(try other.call("credential.list").problem == "parameter-missing")
        #expect(try other.call("credential.get", ["service": Examples.shop]).reasons == ["app-not-registered"])
        #expect(try other.call("credential.delete", ["credential": id]).reasons == ["app-not-registered"])
        let list = try other.call("credential.list", ["proof": Examples.proof])
        #expect((list.result?["credentials"] as? [[String: Any]])?.map { $0["user"] as? String } == ["ann"])
        #expect(
            try other.call("credential.get", ["service": Examples.shop, "proof": Examples.proof]).text("password")
                == "s3cret")
        #expect(
            try other.call("credential.delete", ["credential": id, "proof": Examples.proof]).result?["changed"] as? Bool
                == true)
        #expect(try shop.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
    }

    @Test("A locked vault refuses with the event to wait for, and a missing one with the command that makes it")
    func vaultStates() throws {
        let daemon = try TestService()
        let shop = daemon.connect()
        try shop.hello()
        try shop.call("admin.vault.lock")
        let refused = try shop.call("credential.get", ["service": Examples.shop])
        #expect(refused.reasons == ["vault-locked"])
        let data = refused.error?["data"] as? [String: Any]
        #expect((data?["reasons"] as? [[String: Any]])?.first?["event"] as? String == "vaultUnlocked")
        let proof = ["proof": Examples.proof]
        #expect(try shop.call("vault.unlock", proof).result?["changed"] as? Bool == true)
        #expect(try shop.call("vault.unlock", proof).result?["changed"] as? Bool == false)

        let empty = try TestService(isCreated: false).connect()
        try empty.hello()
        #expect(
            try empty.call("autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
                .withheld["strongPassword"] == ["vault-missing"])
        #expect(try empty.call("admin.vault.create", ["passphrase": "short"]).reasons == ["passphrase-too-short"])
        #expect(try empty.call("admin.vault.create", Examples.newSecret).result?["slots"] != nil)
        #expect(try empty.call("admin.vault.create", Examples.newSecret).reasons == ["vault-exists"])
    }

    @Test("Nobody's user name, password or passphrase is in an event; a domain only as the field for it")
    func events() throws {
        let daemon = try TestService()
        let shop = daemon.connect()
        try shop.hello()
        let save: [String: Any] = ["service": Examples.bank, "user": "ann.secret.user", "password": "s3cret-password"]
        try shop.call("credential.save", save)
        try shop.call("credential.get", ["service": Examples.bank, "user": "ann.secret.user"])
        try shop.call("autofill.suggest", ["service": Examples.bank, "form": ["fields": Examples.signUp]])
        #expect(daemon.journal.count == 3)
        for event in daemon.journal {
            let text = [event.message, event.refusal?.fixForJournal ?? ""].joined(separator: "\n")
            for secret in ["ann.secret.user", "s3cret-password", "bank.example.com"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }

    @Test("One app that floods cannot fill the journal")
    func flood() throws {
        let daemon = try TestService()
        let shop = daemon.connect()
        try shop.hello()
        for index in 0..<2000 {
            let service = ["type": "domain", "value": "d\(index).example.org"]
            try shop.call("credential.get", ["service": service])
        }
        #expect(daemon.journal.count == 30)
        daemon.clock.advance(milliseconds: 2000)
        try shop.call("credential.get", ["service": Examples.bank])
        #expect(daemon.journal.last?.leftOut == 1970)
    }
}

@Suite("What others saved")
struct ForeignCredentialTests {
    @Test("Without the user's consent an app changes nothing that another program or the user saved")
    func foreign() throws {
        let daemon = try TestService()
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "good"]
        try administrator.call("credential.save", save.merging(["proof": Examples.proof]) { $1 })
        let app = daemon.connect()
        try app.hello()
        for password in ["good", "junk"] {
            #expect(
                try app.call("credential.save", save.merging(["password": password]) { $1 }).reasons == [
                    "grant-missing"
                ])
        }
        let offer = try #require(
            try app.call("autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
                .suggestion("strongPassword")?["offer"] as? String)
        #expect(try app.call("autofill.accept", ["offer": offer, "user": "ann"]).reasons == ["grant-missing"])
        #expect(try app.call("autofill.accept", ["offer": offer, "user": "bob"]).result?["changed"] as? Bool == true)
        let kept = try administrator.call(
            "credential.get", ["service": Examples.shop, "user": "ann", "proof": Examples.proof])
        #expect(kept.text("password") == "good")
    }

    @Test("What an app saved is its own until another changes it")
    func changedByAnother() throws {
        let daemon = try TestService()
        let app = daemon.connect()
        try app.hello()
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "mine"]
        try app.call("credential.save", save)
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "mine")
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        try administrator.call(
            "credential.save", save.merging(["password": "the user's", "proof": Examples.proof]) { $1 })
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
    }

    @Test("A grant by command takes a remembered denial back, and stays")
    func denialRevoked() throws {
        let daemon = try TestService(consent: .scripted(try ConsentScript("* * never")))
        let first = daemon.connect(.systemProgram)
        try first.hello()
        try first.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
        let second = daemon.connect(.systemProgram)
        try second.hello()
        #expect(try second.call("credential.get", ["service": Examples.shop]).reasons == ["grant-denied"])
        #expect(
            try second.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "x"]).reasons
                == ["grant-denied"])
        let administrator = daemon.connect()
        try administrator.hello("org.autofilld.autofillctl")
        try administrator.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        let list = try administrator.call("admin.grant.list", ["proof": Examples.proof])
        #expect((list.result?["grants"] as? [[String: Any]])?.map { $0["decision"] as? String } == ["allow"])
        #expect(try second.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
    }
}
