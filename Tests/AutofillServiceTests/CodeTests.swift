// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Credentials
import EventLoop
import Foundation
import Prompting
import SecretMemory
import Support
import Testing

@testable import AutofillService

@Suite("One-time codes")
struct CodeTests {
    private static var field: [[String: Any]] { [["id": "otp", "contentType": "oneTimeCode"]] }
    /// The secret of the RFCs' vectors.
    private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }

    /// An app that has saved ann's password and her codes.
    private func shop(_ daemon: TestService, _ uri: String) throws -> ServiceConnection {
        let shop = try connect(daemon)
        try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
        let set = try shop.call("code.set", ["service": Examples.shop, "user": "ann", "uri": uri])
        #expect(set.result?["changed"] as? Bool == true)
        return shop
    }

    private func codes(_ app: ServiceConnection, form: String? = nil) throws -> [[String: Any]] {
        var parameters: [String: Any] = ["service": Examples.shop, "fields": Self.field]
        parameters["form"] = form
        let suggestion = try app.call("autofill.suggest", parameters).suggestion("oneTimeCode")
        return suggestion?["codes"] as? [[String: Any]] ?? []
    }

    private func fill(_ app: ServiceConnection, _ code: Any?) throws -> TestAnswer {
        try app.call("autofill.fill", ["oneTimeCode": code ?? "", "fields": Self.field])
    }

    @Test("A code of the time is that of the moment, and says until when")
    func time() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://totp/a?digits=8&secret=\(Self.secret)")
        daemon.clock.wall = 1_111_111_109_500
        let got = try shop.call("code.get", ["service": Examples.shop])
        #expect(got.text("code") == "07081804" && got.text("validUntil") == "2005-03-18T01:58:30.000Z")
        let suggested = try #require(try codes(shop).first)
        #expect(suggested["user"] as? String == "ann" && suggested["expires"] is NSNull)
        daemon.clock.wall = 1_111_111_111_000
        let filled = try fill(shop, suggested["oneTimeCode"])
        #expect(filled.result?["values"] as? [[String: String]] == [["field": "otp", "value": "14050471"]])
        #expect(filled.result?["password"] is NSNull)
    }

    @Test("A secret for codes that cannot be read is left out, and keeps no other code and no password from a form")
    func damaged() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://totp/a?secret=\(Self.secret)")
        try shop.call("credential.save", ["service": Examples.shop, "user": "bob", "password": "secret"])
        let vault = try #require(daemon.vault)
        let bob = try #require(
            try vault.credential(for: Service(kind: .domain, value: "shop.example.com"), user: "bob"))
        _ = try vault.update(bob.id, at: daemon.clock.now) { $0.oneTimeCode = SecretBytes(utf8: "otpauth://") }
        let answer = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "fields": Examples.signIn + Self.field])
        #expect(answer.error == nil)
        let codes = answer.suggestion("oneTimeCode")?["codes"] as? [[String: Any]]
        #expect(codes?.map { $0["user"] as? String } == ["ann"])
        let got = try shop.call("code.get", ["service": Examples.shop])
        #expect(got.text("user") == "ann")
        #expect(try shop.call("code.get", ["service": Examples.shop, "user": "bob"]).error != nil)
    }

    @Test("What is exported can be handed in again: a URI that grows too long when it is written out is refused")
    func longURI() throws {
        let daemon = try TestService()
        let uri = "otpauth://totp/\(String(repeating: "ü", count: 600))?secret=\(Self.secret)"
        let shop = try shop(daemon, uri)
        let proof: [String: Any] = ["service": Examples.shop, "user": "ann", "proof": Examples.proof]
        let exported = try #require(try shop.call("admin.code.export", proof).text("uri"))
        let again = try shop.call("code.set", ["service": Examples.shop, "user": "ann", "uri": exported])
        #expect(again.result?["changed"] as? Bool == false)
        let longer = uri + "&issuer=" + String(repeating: "!", count: 100)
        let refused = try shop.call("code.set", ["service": Examples.shop, "user": "ann", "uri": longer])
        #expect(refused.error?["code"] as? Int == -32602)
    }

    @Test("A counter's suggestion is one code however often it is filled, also after a lock; the next one is another")
    func counter() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://hotp/a?counter=0&secret=\(Self.secret)")
        let first = try #require(try codes(shop, form: "one").first?["oneTimeCode"])
        #expect(try fill(shop, first).text("code") == "755224")
        #expect(try fill(shop, first).text("code") == "755224")
        #expect(try codes(shop, form: "one").first?["oneTimeCode"] as? String == first as? String)
        try shop.call("admin.vault.lock")
        try shop.call("vault.unlock", Examples.proof)
        #expect(try fill(shop, first).text("code") == "755224")
        let second = try codes(shop, form: "two").first?["oneTimeCode"]
        let third = try codes(shop, form: "three").first?["oneTimeCode"]
        #expect(try fill(shop, third).text("code") == "287082")
        #expect(try fill(shop, second).text("code") == "359152")
        #expect(try shop.call("code.get", ["service": Examples.shop, "user": "ann"]).text("code") == "969429")
        #expect(try fill(shop, first).text("code") == "755224")
        daemon.clock.advance(milliseconds: 600_000)
        #expect(try fill(shop, first).reasons == ["code-not-found"])
        #expect(try codes(shop, form: "one").first?["oneTimeCode"] as? String != first as? String)
    }

    @Test("A counter survives a restart: no code is given twice")
    func restart() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var name: Any?
        do {
            let daemon = try TestService(location: .directory(folder + "/vault"))
            let shop = try shop(daemon, "otpauth://hotp/a?counter=0&secret=\(Self.secret)")
            name = try codes(shop, form: "one").first?["oneTimeCode"]
            #expect(try fill(shop, name).text("code") == "755224")
            try daemon.close()
        }
        let daemon = try TestService(location: .directory(folder + "/vault"), isCreated: false, consent: .fixed(.once))
        let shop = try connect(daemon)
        try shop.call("vault.unlock", Examples.proof)
        #expect(try fill(shop, name).text("code") == "755224")
        #expect(try shop.call("code.get", ["service": Examples.shop]).text("code") == "287082")
    }

    @Test("Another program is not told whether there are codes, and gets none without a grant")
    func stranger() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://hotp/a?counter=0&secret=\(Self.secret)")
        let name = try codes(shop, form: "one").first?["oneTimeCode"]
        let stranger = try connect(daemon, inode: 8)
        let suggestion = try stranger.call("autofill.suggest", ["service": Examples.shop, "fields": Self.field])
            .suggestion("oneTimeCode")
        #expect((suggestion?["codes"] as? [Any])?.isEmpty == true)
        // The suggestion is not its own, and the name tells nothing of the credential's.
        #expect(try fill(stranger, name).reasons == ["code-not-found"])
        #expect(try stranger.call("code.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(
            try stranger.call("code.delete", ["service": Examples.shop, "user": "ann"]).reasons == ["grant-missing"])
        let bank = try connect(daemon, "org.example.Bank")
        #expect(try bank.call("code.get", ["service": Examples.shop]).reasons == ["domain-not-associated"])
        let withheld = try bank.call("autofill.suggest", ["service": Examples.shop, "fields": Self.field]).withheld
        #expect(withheld["oneTimeCode"] == ["domain-not-associated"])
    }

    @Test("Codes that the person set make the credential another than the one that the app saved")
    func keepsOwning() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://totp/a?secret=\(Self.secret)")
        #expect(try shop.call("credential.get", ["service": Examples.shop]).text("password") == "secret")
        let set: [String: Any] = ["service": Examples.shop, "user": "ann", "uri": "otpauth://totp/b?secret=MY"]
        try connect(daemon, "org.autofilld.autofillctl").call("code.set", set.merging(["proof": Examples.proof]) { $1 })
        #expect(try shop.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
    }

    @Test("A password that the app saved gives no right to codes that the person set")
    func codesOfThePerson() throws {
        let daemon = try TestService()
        let account: [String: Any] = ["service": Examples.shop, "user": "ann"]
        let save = account.merging(["password": "secret"]) { $1 }
        try connect(daemon).call("credential.save", save)
        let uri = "otpauth://totp/a?secret=\(Self.secret)"
        let set = account.merging(["uri": uri, "proof": Examples.proof]) { $1 }
        #expect(try connect(daemon, "org.autofilld.autofillctl").call("code.set", set).error == nil)
        let shop = try connect(daemon)
        for password in ["secret", "another"] {
            #expect(try shop.call("credential.save", save.merging(["password": password]) { $1 }).error == nil)
            #expect(try shop.call("credential.get", ["service": Examples.shop]).text("password") == password)
            #expect(try shop.call("code.get", ["service": Examples.shop]).reasons == ["grant-missing"])
            #expect(try shop.call("code.get", account).reasons == ["grant-missing"])
            #expect(try codes(shop).isEmpty)
        }
        let other = account.merging(["uri": "otpauth://totp/a?secret=MY"]) { $1 }
        #expect(try shop.call("code.set", other).reasons == ["grant-missing"])
        #expect(try shop.call("code.delete", account).reasons == ["grant-missing"])
        let forbid = other.merging(["interaction": "forbid"]) { $1 }
        #expect(try shop.call("code.set", forbid).reasons == ["interaction-required"])
        let export = try connect(daemon, "org.autofilld.autofillctl")
            .call("admin.code.export", account.merging(["proof": Examples.proof]) { $1 })
        #expect(export.text("uri")?.contains(Self.secret) == true)
    }

    @Test("The program that set codes may change and remove them in another connection, and has to ask for them")
    func codesOfTheApp() throws {
        let daemon = try TestService()
        let first = try shop(daemon, "otpauth://totp/a?secret=\(Self.secret)")
        let account: [String: Any] = ["service": Examples.shop, "user": "ann"]
        // A new password leaves this connection its codes.
        #expect(try first.call("credential.save", account.merging(["password": "new"]) { $1 }).error == nil)
        #expect(try first.call("code.get", account).error == nil)
        let again = try connect(daemon)
        #expect(try again.call("code.get", account).reasons == ["grant-missing"])
        #expect(try again.call("code.set", account.merging(["uri": "otpauth://totp/a?secret=MY"]) { $1 }).error == nil)
        #expect(try again.call("code.get", account).error == nil)
        #expect(try again.call("code.delete", account).result?["changed"] as? Bool == true)
    }

    @Test("A code that came in is filled once, under a grant, for three minutes")
    func incoming() throws {
        let daemon = try TestService(consent: .fixed(.once))
        let mail = try connect(daemon, "org.example.Mail", inode: 9)
        let shop = try connect(daemon)
        func offer(_ code: String) throws -> String? {
            try mail.call("code.offer", ["service": Examples.shop, "code": code]).text("oneTimeCode")
        }
        let first = try offer("111111")
        let suggestion = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": Self.field])
            .suggestion("oneTimeCode")
        #expect((suggestion?["codes"] as? [Any])?.isEmpty == true)
        let filled = try fill(shop, first)
        #expect(filled.text("code") == "111111")
        #expect(filled.result?["values"] as? [[String: String]] == [["field": "otp", "value": "111111"]])
        #expect(try fill(shop, first).reasons == ["code-not-found"])
        let former = try offer("222222")
        let latest = try offer("333333")
        #expect(try fill(shop, former).reasons == ["code-not-found"])
        daemon.clock.advance(milliseconds: 180_000)
        #expect(try fill(shop, latest).reasons == ["code-not-found"])
        _ = try offer("444444")
        #expect(try shop.call("code.get", ["service": Examples.shop]).text("code") == "444444")
        #expect(try shop.call("code.get", ["service": Examples.shop]).reasons == ["code-not-found"])
    }

    @Test("What the app saved itself does not entitle it to codes that came in")
    func incomingIsNobodysOwn() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://totp/a?secret=\(Self.secret)")
        let offered = try connect(daemon, "org.example.Mail").call(
            "code.offer", ["service": Examples.shop, "code": "111111"])
        #expect(try fill(shop, offered.text("oneTimeCode")).reasons == ["grant-missing"])
        #expect(try codes(shop).map { $0["source"] as? String } == ["time"])
    }

    @Test("Only a registered app with the entitlement hands codes over, and not without end")
    func sources() throws {
        let daemon = try TestService()
        let offer: [String: Any] = ["service": Examples.shop, "code": "1"]
        #expect(
            try connect(daemon).call("code.offer", offer).reasons == ["code-source-entitlement-missing"])
        #expect(
            try connect(daemon, "org.example.Nobody").call("code.offer", offer).reasons == ["app-not-registered"])
        let mail = try connect(daemon, "org.example.Mail")
        for number in 0..<32 {
            let service = ["type": "domain", "value": "s\(number).example.com"]
            #expect(try mail.call("code.offer", ["service": service, "code": "1"]).error == nil)
        }
        #expect(try mail.call("code.offer", offer).reasons == ["too-many-codes"])
        daemon.clock.advance(milliseconds: 180_000)
        #expect(try mail.call("code.offer", offer).error == nil)
    }

    @Test("A field for a code that has the focus is told of codes alone")
    func focus() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        let call: [String: Any] = ["service": Examples.shop, "form": "f1", "fields": Self.field, "focus": "otp"]
        let none = try shop.call("autofill.suggest", call)
        #expect(none.roles == ["otp": "oneTimeCode"])
        #expect(none.types == ["oneTimeCode"] && none.withheld.isEmpty)
        try shop.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "secret"])
        try shop.call(
            "code.set",
            ["service": Examples.shop, "user": "ann", "uri": "otpauth://hotp/a?counter=0&secret=\(Self.secret)"])
        for _ in 0..<Int(2 * Limits.suggestedCodes) {
            let answer = try shop.call("autofill.suggest", call)
            #expect(answer.types == ["oneTimeCode"] && answer.withheld.isEmpty)
        }
        // The same form has one of the places of suggestions.
        #expect(try codes(shop).count == 1)
        let bare = try connect(daemon, "org.example.NotSetUp")
        #expect(try bare.call("autofill.suggest", call).withheld == ["oneTimeCode": ["associated-domains-missing"]])
    }

    @Test("Each code of a counter is a change that is announced; filling it again is none")
    func counterEvents() throws {
        let daemon = try TestService()
        let shop = try shop(daemon, "otpauth://hotp/a?counter=0&secret=\(Self.secret)")
        let listener = try connect(daemon)
        try listener.call("event.subscribe")
        func changes() -> Int {
            listener.received().filter { $0.contains(#""type":"credentialsChanged""#) && $0.contains(#""saved""#) }
                .count
        }
        #expect(try shop.call("code.get", ["service": Examples.shop]).text("code") == "755224")
        #expect(changes() == 1)
        let name = try codes(shop, form: "one").first?["oneTimeCode"]
        #expect(changes() == 0)
        #expect(try fill(shop, name).text("code") == "287082")
        #expect(changes() == 1)
        #expect(try fill(shop, name).text("code") == "287082")
        #expect(changes() == 0)
    }
}
