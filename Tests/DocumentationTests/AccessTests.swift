// SPDX-License-Identifier: Apache-2.0
import AutofillPolicy
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import Prompting
import Settings
import Support
import Testing

@Suite("The access table and the parameters of protocol.md, compared with the daemon's behaviour")
struct AccessTests {
    /// Well-formed parameters without proof: those of the first example in the method's own section.
    private static func parameters(_ method: String) throws -> [String: Any] {
        let section = try ProtocolDocument.load().section("### \(method)").joined(separator: "\n")
        for case .send(let line) in Transcript.all(in: section).flatMap(\.steps) {
            let request = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard request?["method"] as? String == method else { continue }
            guard var params = request?["params"] as? [String: Any] else { continue }
            params["proof"] = nil
            if let code = params["codeID"] as? String, code.hasPrefix("<") {
                params["codeID"] = "cod_" + String(repeating: "0", count: 32)
            }
            for (name, id) in [("offer", "off_"), ("credential", "crd_"), ("grant", "grt_")] where params[name] != nil {
                params[name] = id + String(repeating: "0", count: 32)
            }
            return params
        }
        return [:]
    }

    @Test(
        "What needs an association refuses an app whose registration is removed, also for what it has",
        arguments: Method.allCases.filter { $0.declaration.needsAssociation || $0.declaration.needsRegistration }.map(
            \.rawValue))
    func association(_ method: String) throws {
        let shop = "org.example.Shop"
        let registration = try String(contentsOfFile: "\(TestFiles.registrations)/\(shop).json", encoding: .utf8)
        let registrations = try TestRegistrations([shop: registration])
        let daemon = try TestService(registrations: registrations.path)
        let app = daemon.connect()
        try app.hello()
        var parameters = try Self.parameters(method)
        if parameters["offer"] != nil {
            let suggest: [String: Any] = ["service": Examples.shop, "form": ["fields": Examples.signUp]]
            let suggested = try app.call("autofill.suggest", suggest)
            parameters["offer"] = try #require(suggested.suggestion("strongPassword")?["offer"])
        }
        if parameters["credential"] != nil || parameters["replaces"] != nil {
            let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "secret"]
            let saved = try #require(try app.call("credential.save", save).text("credential"))
            for name in ["credential", "replaces"] where parameters[name] != nil { parameters[name] = saved }
        }
        try FileManager.default.removeItem(atPath: "\(registrations.path)/\(shop).json")
        let unregistered = daemon.connect()
        try unregistered.hello()
        let answer = try unregistered.call(method, parameters)
        let reasons = answer.reasons + answer.withheld.values.flatMap(\.self)
        #expect(reasons.contains("app-not-registered"), "\(answer)")
    }

    @Test(
        "What needs an open vault refuses while it is locked",
        arguments: Method.allCases.filter(\.declaration.needsUnlockedVault).map(\.rawValue))
    func openVault(_ method: String) throws {
        let app = try TestService().connect()
        try app.hello()
        try app.call("admin.vault.lock")
        var parameters = try Self.parameters(method)
        if Method(rawValue: method)?.declaration.needsProof == true { parameters["proof"] = Examples.proof }
        let answer = try app.call(method, parameters)
        let reasons = answer.reasons + answer.withheld.values.flatMap(\.self)
        #expect(reasons.contains("vault-locked"), "\(reasons)")
    }

    @Test(
        "What needs a grant refuses an associated app without one",
        arguments: Method.allCases.filter(\.declaration.needsGrant).map(\.rawValue))
    func grant(_ method: String) throws {
        let daemon = try TestService()
        let other = daemon.connect()
        try other.hello("org.autofilld.autofillctl")
        let saved = try other.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "secret", "proof": Examples.proof])
        let app = daemon.connect()
        try app.hello()
        var parameters = try Self.parameters(method)
        parameters["offer"] = nil
        if parameters["service"] == nil { parameters["credential"] = saved.text("credential") }
        try other.call(
            "code.set",
            [
                "service": Examples.shop, "user": "ann", "uri": "otpauth://totp/a?secret=MY", "proof": Examples.proof,
            ])
        // What another program has written in the app's own group.
        let named = (parameters["place"] as? [String: Any] ?? [:]).merging(["namespace": "tokens", "account": "ann"]) {
            old, _ in old
        }
        let location: [String: Any] = ["place": named, "accessGroup": "org.example.Shop", "proof": Examples.proof]
        try other.call("keychain.set", location.merging(["data": ["base64": ""]]) { $1 })
        try other.call("verifier.set", location.merging(["hash": Examples.passwordHash]) { $1 })
        let otherProgram = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try otherProgram.hello()
        try otherProgram.call(
            "signIn.start", ["name": "Ann", "place": ["account": "ann@example.com"], "password": "secret"])
        #expect(try app.call(method, parameters).reasons == ["grant-missing"])
    }

    @Test(
        "What needs proof refuses without it, and with a wrong one",
        arguments: Method.allCases.filter(\.declaration.needsProof).map(\.rawValue))
    func proof(_ method: String) throws {
        let app = try TestService().connect()
        try app.hello()
        var parameters = try Self.parameters(method)
        #expect(try app.call(method, parameters).reasons == ["proof-required"])
        parameters["proof"] = Examples.wrongProof
        #expect(try app.call(method, parameters).reasons == ["proof-wrong"])
    }

    @Test(
        "Without passphrase and prompt no method gives a program another's secret, a grant, or a weaker setting",
        arguments: Method.allCases)
    func withoutProof(_ method: Method) throws {
        let daemon = try TestService()
        let user = daemon.connect()
        try user.hello("org.autofilld.autofillctl")
        let proof: [String: Any] = ["proof": Examples.proof]
        let saved = try user.call(
            "credential.save",
            ["service": Examples.shop, "user": "the.user", "password": "the.secret"].merging(proof) { $1 })
        let credential = try #require(saved.text("credential"))
        let before = daemon.settings
        var parameters = try Self.parameters(method.rawValue)
        if parameters["credential"] != nil { parameters["credential"] = credential }
        let proofs: [[String: Any]?] = [
            nil, ["type": "prompt"], ["type": "passphrase", "passphrase": "a guess"], Examples.wrongProof,
        ]
        for (number, name) in ["org.example.Shop", "org.autofilld.autofillctl", "org.example.Nobody"].enumerated() {
            for proof in proofs {
                let program = daemon.connect()
                if method != .hello { try program.hello(name) }
                if let proof { parameters["proof"] = proof }
                let request: [String: Any] = [
                    "jsonrpc": "2.0", "id": number, "method": method.rawValue, "params": parameters,
                ]
                let line = try JSONSerialization.data(withJSONObject: request)
                for answer in try program.exchange(String(decoding: line, as: UTF8.self)) + program.received() {
                    #expect(!answer.contains("the.secret") && !answer.contains("the.user"), "\(answer)")
                }
            }
        }
        // The guesses delay the next proof for a while.
        daemon.clock.advance(milliseconds: 60_000)
        try user.call("vault.unlock", proof)
        let grants = try user.call("admin.grant.list", proof).result?["grants"] as? [Any]
        #expect(grants?.isEmpty == true)
        let slots = try user.call("admin.slot.list", proof).result?["slots"] as? [Any]
        #expect(slots?.count == 1)
        let domains = try user.call("admin.domain.list", proof).result?["domains"] as? [[String: Any]]
        #expect(domains?.isEmpty == false)
        #expect(domains?.allSatisfy { $0["userState"] as? String == "silent" } == true)
        let kept = try user.call(
            "credential.get", ["service": Examples.shop, "user": "the.user"].merging(proof) { $1 })
        #expect(kept.text("password") == "the.secret")
        #expect(kept.text("version") == "1")
        #expect(Setting.weakened(from: before, to: daemon.settings).isEmpty)
        let app = daemon.connect()
        try app.hello()
        #expect(
            try app.call("credential.get", ["service": Examples.shop, "user": "the.user"]).reasons == ["grant-missing"])
    }

    @Test(
        "A prompt that is proof describes the operation",
        arguments: Method.allCases.filter(\.declaration.admitsPrompt).map(\.rawValue))
    func promptSummary(_ method: String) throws {
        let daemon = try TestService(consent: .user)
        let app = daemon.connect()
        try app.hello("org.autofilld.autofillctl")
        var parameters = try Self.parameters(method)
        for (name, id) in try ids(daemon) where parameters[name] != nil { parameters[name] = id }
        parameters["proof"] = ["type": "prompt"]
        #expect(try app.send(method, parameters).isEmpty)
        let text = try #require(daemon.approvals.first?.prompt.description)
        #expect(text.hasPrefix("org.autofilld.autofillctl wants to "))
        #expect(!text.contains(method), "\(text)")
    }

    /// What there is to be named by an id.
    private func ids(_ daemon: TestService) throws -> [String: String] {
        let shop = daemon.connect()
        try shop.hello()
        let suggested = try shop.call(
            "autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
        let saved = try shop.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let allowed = try shop.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        return [
            "offer": try #require(suggested.suggestion("strongPassword")?["offer"] as? String),
            "credential": try #require(saved.text("credential")),
            "grant": try #require((allowed.result?["grants"] as? [[String: Any]])?.first?["grant"] as? String),
        ]
    }

    @Test("Each parameter that a section lists is one that the daemon reads", arguments: Method.allCases)
    func parameters(_ method: Method) throws {
        let section = try ProtocolDocument.load().section("### \(method.rawValue)")
        var names: [String] = []
        if let start = section.firstIndex(where: { $0.hasPrefix("| parameter |") }) {
            for row in section[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
                let cell = row.split(separator: "|", maxSplits: 1)[0]
                names += cell.matches(of: #/`(\w+)`/#).map { String($0.1) }
            }
        }
        let app = try TestService().connect()
        if method != .hello { try app.hello() }
        for name in names {
            var parameters = try Self.parameters(method.rawValue)
            parameters[name] = [[]]
            let member = try #require(try app.call(method.rawValue, parameters).member, "\(name)")
            #expect(member == name || member == "\(name)[0]", "\(name)")
        }
    }
}
