// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Prompting
import Reasons
import Support
import Testing

@Suite("Errors have one shape, and tell every reason")
struct EveryReasonTests {
    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello(app)
        return connection
    }

    @Test(
        "What needs proof says so beside the vault's own reason",
        arguments: Method.allCases.filter { $0.declaration.needsProof && $0.declaration.needsUnlockedVault })
    func proof(_ method: Method) throws {
        let parameters: [Method: [String: Any]] = [
            .credentialRestore: ["credential": "crd_1"], .codeExport: ["service": Examples.shop, "user": "a"],
            .vaultBackup: ["path": "/tmp/x"], .vaultRekey: Examples.proof,
            .slotAdd: Examples.proof, .slotChange: ["slot": 1, "drawRecoveryKey": true],
            .slotRemove: ["slot": 1], .grantAllow: ["bundleID": "org.example.Shop", "service": Examples.shop],
            .grantDeny: ["bundleID": "org.example.Shop", "service": Examples.shop], .grantRevoke: ["grant": "grt_1"],
            .prompterAttach: ["terminal": "/dev/pts/1", "type": "xterm"],
            .domainApprove: ["bundleID": "org.example.Shop", "domain": "shop.example.com"],
            .domainDeny: ["bundleID": "org.example.Shop", "domain": "shop.example.com"],
        ]
        let locked = try TestService()
        let app = try connect(locked)
        try app.call("admin.vault.lock")
        #expect(
            try app.call(method.rawValue, parameters[method] ?? [:]).reasons == ["vault-locked", "proof-required"])
        let missing = try connect(try TestService(isCreated: false))
        #expect(
            try missing.call(method.rawValue, parameters[method] ?? [:]).reasons == ["vault-missing", "proof-required"])
    }

    @Test("A locked or missing vault hides nothing of what else an app lacks")
    func unregistered() throws {
        for isCreated in [true, false] {
            let daemon = try TestService(isCreated: isCreated)
            let app = try connect(daemon, "org.example.Nobody")
            try app.call("admin.vault.lock")
            let vault = isCreated ? "vault-locked" : "vault-missing"
            for (method, parameters) in [
                ("credential.list", ["service": Examples.shop]), ("credential.get", ["service": Examples.shop]),
                ("credential.delete", ["credential": "crd_1"]), ("autofill.fill", ["credential": "crd_1"]),
                ("autofill.fill", ["service": Examples.shop, "fields": Examples.signIn]),
                ("autofill.accept", ["offer": "off_1", "user": "a"]),
                ("keychain.get", ["place": ["service": "s", "account": "a"]]),
                ("keychain.list", ["place": ["service": "s"]]),
                ("code.get", ["service": Examples.shop]), ("signIn.status", [:]),
            ] as [(String, [String: Any])] {
                let reasons = try app.call(method, parameters.merging(["interaction": "forbid"]) { $1 }).reasons
                #expect(reasons.contains("app-not-registered") && reasons.contains(vault), "\(method): \(reasons)")
            }
        }
    }

    @Test("An id of another app's credential, offer or code and one that is nobody's get the same answer")
    func ids() throws {
        let daemon = try TestService()
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let bank = try person.call(
            "credential.save",
            ["service": Examples.bank, "user": "ann", "password": "s", "proof": Examples.proof])
        let id = try #require(bank.text("credential"))
        try person.call(
            "code.set",
            ["service": Examples.bank, "user": "ann", "uri": "otpauth://totp/a?secret=MY", "proof": Examples.proof])
        let unknown = "crd_" + String(repeating: "0", count: 32)
        func code(_ id: String) -> String { "otc_" + id.dropFirst(4) }
        for name in ["org.example.Shop", "org.example.Nobody"] {
            let app = try connect(daemon, name)
            for (method, make) in [
                ("autofill.fill", { ["credential": $0] }), ("credential.delete", { ["credential": $0] }),
                ("autofill.fill", { ["oneTimeCode": code($0)] }),
            ] as [(String, (String) -> [String: Any])] {
                let answers = try [id, unknown].map { try app.call(method, make($0)) }
                #expect(answers[0].error as NSDictionary? == answers[1].error as NSDictionary?, "\(name): \(answers)")
                #expect(!"\(answers[0])".contains("bank"))
                if name == "org.example.Shop" {
                    #expect(["credential-not-found", "code-not-found"].contains(answers[0].reasons.first ?? ""))
                }
            }
        }
    }

    @Test("A request that was taken back has a code of its own, and every other refusal has the one for refusals")
    func codes() throws {
        let daemon = try TestService(consent: .person)
        let app = try connect(daemon)
        #expect(try app.send("credential.get", ["service": Examples.shop], id: 7).isEmpty)
        let answers = try app.send("request.cancel", ["id": 7], id: 8)
        #expect(answers.map(\.code) == [-32800, nil] && answers[0].reasons == ["cancelled"])
        #expect(try app.call("credential.get", ["service": Examples.bank]).code == -32000)
        #expect(try app.call("credential.get").code == -32602)
        #expect(try app.call("no.such").code == -32601)
    }

    @Test("Every kind of malformed request has a reason like a refusal's, and its fix is a sentence")
    func malformed() throws {
        let app = try connect(try TestService())
        let wrong: [(String, [String: Any], String?)] = [
            ("credential.get", ["service": 1], "service"),
            ("credential.get", ["service": ["type": "domain"]], "service.value"),
            ("credential.get", ["service": ["type": "domain", "value": "a b"]], "service.value"),
            ("credential.get", ["service": ["type": "x", "value": "a.b"]], "service.type"),
            ("autofill.suggest", ["service": Examples.shop, "fields": [1]], "fields[0]"),
            ("autofill.suggest", ["service": Examples.shop, "fields": [["id": "a"], ["id": 1]]], "fields[1].id"),
            ("autofill.suggest", ["service": Examples.shop, "fields": [["id": "a"], ["id": "a"]]], "fields[1].id"),
            (
                "autofill.suggest", ["service": Examples.shop, "fields": [], "submitLabels": ["a", 1]],
                "submitLabels[1]"
            ),
            ("autofill.suggest", ["service": Examples.shop], "fields"),
            ("autofill.suggest", ["service": Examples.shop, "declaredForm": "x"], "declaredForm"),
            ("autofill.fill", [:], "offer"), ("autofill.fill", ["offer": "a", "oneTimeCode": "b"], "offer"),
            ("code.set", ["service": Examples.shop, "user": "a", "uri": "x"], "uri"),
            ("keychain.get", ["place": ["service": "s", "account": "a"], "accessGroup": "?"], nil),
            ("setting.get", ["setting": "x"], "setting"), ("setting.get", ["setting": "autoFill", "app": "x"], "app"),
            ("admin.domain.get", ["bundleID": "x y", "domain": "a"], nil),
        ]
        for (method, parameters, member) in wrong {
            let answer = try app.call(method, parameters)
            #expect(answer.problem?.hasPrefix("parameter-") == true || answer.code == -32000, "\(method) \(answer)")
            if let member { #expect(answer.member == member, "\(answer)") }
            for fix in answer.fixes { #expect(Self.isSentence(fix), "\(fix)") }
        }
        for kind in ProtocolProblem.Kind.allCases { #expect(Self.isSentence(ProtocolProblem(kind).fix), "\(kind)") }
        for reason in Reason.allCases {
            #expect(Self.isSentence(Refusal(reason).fix), "\(reason): \(Refusal(reason).fix)")
        }
        let named = try daemonGreeting("A bundle ID")
        #expect(named.problem == "parameter-invalid" && Self.isSentence(named.fixes.first ?? ""), "\(named)")
    }

    private func daemonGreeting(_ bundleID: String) throws -> TestAnswer {
        try TestService().connect().call("hello", ["bundleID": bundleID, "protocol": ["min": 1, "max": 1]])
    }

    /// Begins with a verb in the imperative or a word of English in upper case, has no second sentence put into its middle, and
    /// ends without a full stop.
    static func isSentence(_ fix: String) -> Bool {
        guard let first = fix.first, first.isUppercase, fix.contains(" "), fix.last != "." else { return false }
        let joints = [
            " as A ", " as An ", " as The ", " as This ", " as Use ", "  ", "..", ": A ", ": The ", " as Write ",
        ]
        return !joints.contains { fix.contains($0) }
    }

    @Test("The id comes back whenever the line was well-formed JSON, however it is refused")
    func identifiers() throws {
        let app = try connect(try TestService())
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for (line, problem) in [
            (#"{"jsonrpc":"2.0","id":5,"method":"status","params":{"a":\#(deep)}}"#, "json-not-taken"),
            (#"{"jsonrpc":"2.0","id":5,"method":"status","params":{"a":1,"a":2}}"#, "json-not-taken"),
            (#"{"jsonrpc":"2.0","id":5,"method":"status","params":{"a":"\uD800"}}"#, "json-not-taken"),
            (#"{"a":{"id":9},"jsonrpc":"2.0","id":5,"method":"status","params":{"a":"\u0000"}}"#, "json-not-taken"),
            (#"{"jsonrpc":"2.0","id":5,"method":"status","params":{"a\u0000":1}}"#, "json-not-taken"),
            (#"{"jsonrpc":"2.0","id":5,"method":"status","params":7}"#, "parameters-not-an-object"),
            (#"{"jsonrpc":"1.0","id":5,"method":"status"}"#, "version-missing"),
            (#"{"jsonrpc":"2.0","id":5,"method":9}"#, "method-missing"),
        ] {
            let lines = try app.exchange(line)
            #expect(lines.count == 1 && lines[0].contains(#""id":5,"#), "\(lines)")
            let answer = try TestAnswer(lines.first ?? "")
            #expect(
                answer.problem == problem && answer.code == -32600 || problem == "parameters-not-an-object", "\(answer)"
            )
        }
        for line in [#"{"jsonrpc":"2.0","id":5,"method":"status""#, #"{"id":5,}"#, #"{"id":5,"id":6}"#, "nonsense"] {
            #expect(try app.exchange(line).first?.contains(#""id":null,"#) == true, "\(line)")
        }
    }

    @Test("Parameters that are null count as absent, and objects of binary data take members that are not known")
    func lenience() throws {
        let app = try connect(try TestService())
        #expect(
            try app.exchange(#"{"jsonrpc":"2.0","id":5,"method":"status","params":null}"#).first?.contains("result")
                == true)
        let item: [String: Any] = ["place": ["service": "s", "account": "a"], "data": ["later": 1, "base64": "QQ=="]]
        #expect(try app.call("keychain.set", item).error == nil)
    }

    @Test(
        "Every save with ifVersion may be repeated: the same result, unchanged",
        arguments: [
            "credential.save", "code.set", "code.delete", "keychain.set", "keychain.delete",
            "autofill.accept",
        ])
    func repeated(_ method: String) throws {
        let app = try connect(try TestService())
        let user: [String: Any] = ["service": Examples.shop, "user": "ann"]
        let saved = try app.call("credential.save", user.merging(["password": "one"]) { $1 })
        let id = try #require(saved.text("credential"))
        var parameters: [String: Any]
        switch method {
        case "credential.save": parameters = user.merging(["password": "two"]) { $1 }
        case "credential.delete": parameters = ["credential": id]
        case "code.set": parameters = user.merging(["uri": "otpauth://totp/a?secret=MY"]) { $1 }
        case "code.delete":
            try app.call("code.set", user.merging(["uri": "otpauth://totp/a?secret=MY"]) { $1 })
            parameters = user
        case "keychain.set", "keychain.delete":
            parameters = ["place": ["service": "s", "account": "a"]]
            try app.call("keychain.set", parameters.merging(["data": ["base64": "QQ=="]]) { $1 })
            if method == "keychain.set" { parameters["data"] = ["base64": "Qg=="] }
        default:
            let suggested = try app.call("autofill.suggest", ["service": Examples.shop, "fields": Examples.signUp])
            parameters = ["offer": try #require(suggested.suggestion("strongPassword")?["offer"]), "user": "ann"]
        }
        parameters["ifVersion"] = method == "code.delete" ? "2" : "1"
        let first = try app.call(method, parameters)
        #expect(first.result?["changed"] as? Bool == true, "\(first)")
        let again = try app.call(method, parameters)
        #expect(again.result?["changed"] as? Bool == false, "\(again)")
        #expect(again.text("credential") == first.text("credential"))
    }
}
