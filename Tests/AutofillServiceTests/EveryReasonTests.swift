// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Prompting
import Reasons
import SecretMemory
import Support
import Testing

/// What concerns the form of lines is tested with lines: errors' shapes and codes, ids, and requests that no caller can write.
@Suite("Errors have one shape, and list every reason")
struct EveryReasonTests {
    private func connect(_ daemon: TestService) throws -> ServiceConnection {
        try daemon.connect(as: "org.example.Shop")
    }

    @Test(
        "What needs proof states so beside the vault's own reason",
        arguments: Method.allCases.filter { $0.declaration.needsProof && $0.declaration.needsUnlockedVault })
    func proof(_ method: Method) throws {
        let parameters: [Method: [String: Any]] = [
            .credentialRestore: ["credential": "crd_1"], .codeExport: ["service": Examples.shop, "user": "a"],
            .vaultBackup: ["path": "/tmp/x"], .vaultRekey: Examples.newSecret,
            .importCommit: ["conflicts": "newer"],
            .slotAdd: Examples.newSecret, .slotChange: ["slot": 1, "drawRecoveryKey": true],
            .slotRemove: ["slot": 1], .grantAllow: ["bundleID": "org.example.Shop", "service": Examples.shop],
            .grantDeny: ["bundleID": "org.example.Shop", "service": Examples.shop], .grantRevoke: ["grant": "grt_1"],
            .prompterAttach: ["terminal": "/dev/pts/1", "type": "xterm"],
            .domainApprove: ["bundleID": "org.example.Shop", "domain": "shop.example.com"],
            .domainDeny: ["bundleID": "org.example.Shop", "domain": "shop.example.com"],
            .syncStart: ["location": ["type": "folder", "path": "/tmp"], "name": "desktop"],
            .syncJoin: ["location": ["type": "folder", "path": "/tmp"], "name": "laptop", "code": "0000"],
            .syncRemove: ["device": String(repeating: "0", count: 32)], .syncResume: ["counts": "others"],
            .syncRename: ["name": "office"],
        ]
        let locked = try TestService()
        let app = try connect(locked)
        try app.answer(to: VaultLock())
        #expect(
            try app.call(method.rawValue, parameters[method] ?? [:]).reasons == ["vault-locked", "proof-required"])
        let missing = try connect(try TestService(isCreated: false))
        #expect(
            try missing.call(method.rawValue, parameters[method] ?? [:]).reasons == ["vault-missing", "proof-required"])
    }

    @Test("A locked or missing vault hides nothing of what else an app lacks")
    func unregistered() throws {
        for isCreated in [true, false] {
            let app = try TestService(isCreated: isCreated).connect(as: "org.example.Nobody")
            _ = try app.send(VaultLock())
            func hold(_ call: some MethodCall) throws {
                let reasons = Set(try app.reasons(for: call))
                #expect(
                    reasons.isSuperset(of: ["app-not-registered", isCreated ? "vault-locked" : "vault-missing"]),
                    "\(type(of: call)): \(reasons)")
            }
            try hold(CredentialList(service: .shop, interaction: .forbid))
            try hold(CredentialGet(service: .shop, interaction: .forbid))
            try hold(CredentialDelete(credential: "crd_1", interaction: .forbid))
            try hold(AutofillFill(credential: "crd_1", interaction: .forbid))
            try hold(AutofillFill(service: .shop, form: FormDescription(.signIn), interaction: .forbid))
            try hold(AutofillAccept(offer: "off_1", user: "a", interaction: .forbid))
            try hold(KeychainGet(.place(namespace: "s", account: "a"), interaction: .forbid))
            try hold(KeychainSearch(namespace: "s", interaction: .forbid))
            try hold(CodeGet(service: .shop, interaction: .forbid))
            try hold(SignInStatus(interaction: .forbid))
        }
    }

    @Test("An id of another app's credential, offer or code and one that is nobody's get the same answer")
    func ids() throws {
        let daemon = try TestService()
        let user = try daemon.user()
        let id = try user.answer(to: CredentialSave("ann", "s", at: .bank, proof: .test)).credential
        let uri = SecretBytes(utf8: "otpauth://totp/a?secret=MY")
        try user.answer(to: CodeSet(service: .bank, user: "ann", uri: uri, proof: .test))
        let unknown = "crd_" + String(repeating: "0", count: 32)
        for name in ["org.example.Shop", "org.example.Nobody"] {
            let app = try daemon.connect(as: name)
            func compare(_ call: (String) -> some MethodCall) throws {
                let answers = try [id, unknown].map { try #require(try app.refusal(of: call($0))).reasons }
                #expect(answers[0] == answers[1], "\(name)")
                #expect(!"\(answers)".contains("bank"))
                if name == "org.example.Shop" {
                    #expect(["credential-not-found", "code-not-found"].contains(answers[0].first?.reason))
                }
            }
            try compare { AutofillFill(credential: $0) }
            try compare { CredentialDelete(credential: $0) }
            try compare { AutofillFill(code: "cod_" + $0.dropFirst(4)) }
        }
    }

    @Test("A request that was cancelled has a code of its own, and every other refusal has the one for refusals")
    func codes() throws {
        let daemon = try TestService(consent: .user)
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
            ("autofill.suggest", ["service": Examples.shop, "form": ["fields": [1]]], "form.fields[0]"),
            (
                "autofill.suggest", ["service": Examples.shop, "form": ["fields": [["id": "a"], ["id": 1]]]],
                "form.fields[1].id"
            ),
            (
                "autofill.suggest", ["service": Examples.shop, "form": ["fields": [["id": "a"], ["id": "a"]]]],
                "form.fields[1].id"
            ),
            (
                "autofill.suggest", ["service": Examples.shop, "form": ["fields": [], "submitLabels": ["a", 1]]],
                "form.submitLabels[1]"
            ),
            ("autofill.suggest", ["service": Examples.shop], "form"),
            ("autofill.suggest", ["service": Examples.shop, "form": ["id": "f"]], "form.fields"),
            ("autofill.suggest", ["service": Examples.shop, "form": ["declared": "x"]], "form.declared"),
            ("autofill.fill", [:], "offer"), ("autofill.fill", ["offer": "a", "codeID": "b"], "offer"),
            ("code.set", ["service": Examples.shop, "user": "a", "uri": "x"], "uri"),
            ("keychain.get", ["place": ["namespace": "s", "account": "a"], "accessGroup": "?"], nil),
            ("admin.setting.get", ["setting": "x"], "setting"),
            ("admin.setting.get", ["setting": "autoFill", "bundleID": "x"], "bundleID"),
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

    @Test("The id is returned whenever the line was well-formed JSON, however it is refused")
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

    @Test("Parameters that are null count as absent, and objects of binary data accept members that are not known")
    func lenience() throws {
        let app = try connect(try TestService())
        #expect(
            try app.exchange(#"{"jsonrpc":"2.0","id":5,"method":"status","params":null}"#).first?.contains("result")
                == true)
        let place = ["namespace": "s", "account": "a"]
        let item: [String: Any] = ["place": place, "data": ["later": 1, "base64": "QQ=="]]
        #expect(try app.call("keychain.set", item).error == nil)
    }

    @Test("Every save with ifVersion may be repeated: the same result, unchanged")
    func repeated() throws {
        /// Does a call twice where ann's password is saved.
        func hold<Call: MethodCall>(
            _ result: (Call.Answer) -> (isChanged: Bool, id: String), call: (ServiceConnection) throws -> Call
        ) throws {
            let app = try connect(try TestService())
            try app.answer(to: CredentialSave("ann", "one"))
            let call = try call(app)
            let (first, again) = (result(try app.answer(to: call)), result(try app.answer(to: call)))
            #expect(first.isChanged && !again.isChanged && first.id == again.id, "\(Call.method)")
        }
        let saved = { (answer: SavedAnswer) in (answer.changed, answer.credential) }
        let kept = { (answer: KeychainSaved) in (answer.changed, answer.item) }
        let removed = { (answer: Changed) in (answer.changed, "") }
        func code(_ version: String? = nil) -> CodeSet {
            CodeSet(
                service: .shop, user: "ann", uri: SecretBytes(utf8: "otpauth://totp/a?secret=MY"), ifVersion: version)
        }
        func item(_ text: String, _ version: String? = nil) -> KeychainSet {
            KeychainSet(namespace: "s", account: "a", data: SecretBytes(utf8: text), ifVersion: version)
        }
        try hold(saved) { _ in
            CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "two"), ifVersion: "1")
        }
        try hold(saved) { app in
            let suggested = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
            return AutofillAccept(offer: try #require(suggested.strongPassword).offer, user: "ann", ifVersion: "1")
        }
        try hold(saved) { _ in code("1") }
        try hold(removed) { app in
            try app.answer(to: code())
            return CodeDelete(service: .shop, user: "ann", ifVersion: "2")
        }
        try hold(kept) { app in
            try app.answer(to: item("A"))
            return item("B", "1")
        }
        try hold(removed) { app in
            try app.answer(to: item("A"))
            return KeychainDelete(.place(namespace: "s", account: "a"), ifVersion: "1")
        }
    }
}
