// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite("References in templates and in the environment")
struct ReferenceTests {
    @Test("A reference names a site or an id, a user and a field, percent-encoded")
    func references() throws {
        let plain = try SecretReference("autofill://a.example/jo/password")
        #expect(plain.site == "a.example" && plain.user == "jo" && plain.field == .password)
        let own = try SecretReference("autofill://a.example/jo%2Fx%20%C3%A4/customer%20number")
        #expect(own.user == "jo/x ä" && own.field == .custom("customer number"))
        let id = try SecretReference("autofill://crd_0/code")
        #expect(id.site == "crd_0" && id.user == nil && id.field == .code)
        for wrong in [
            "autofill://", "autofill://a.example", "autofill://a.example/jo", "autofill://a.example/jo/", "op://a/b/c",
            "autofill:///jo/password", "autofill://a.example//password", "autofill://a.example/jo/x/y",
            "autofill://a.example/j%/password", "autofill://a.example/%ff/password", "autofill://crd_0/jo/password",
        ] {
            #expect(throws: CommandFailure.self, "\(wrong)") { try SecretReference(wrong) }
        }
    }

    @Test("A template keeps all but its references, byte for byte")
    func templates() throws {
        func elements(_ text: String) throws -> [SecretTemplate.Element] {
            try SecretTemplate(Array(text.utf8)).elements
        }
        let reference = SecretTemplate.Element.reference(try SecretReference("autofill://a.example/jo/user"))
        #expect(
            try elements("a {{ autofill://a.example/jo/user }}{{autofill://a.example/jo/user}}\n")
                == [.text(Array("a ".utf8)), reference, reference, .text([10])])
        for text in ["", "{", "{{ x }} {% y %}", "}}", "autofill://a.example/jo/user", "{{"] {
            #expect(try elements(text) == (text.isEmpty ? [] : [.text(Array(text.utf8))]))
        }
        for wrong in ["\n{{ autofill://a.example/jo/user", "\n{{ autofill://a.example/jo/user }", "\n{{autofill://a}}"]
        {
            let failure = #expect(throws: CommandFailure.self) { try elements(wrong) }
            #expect(failure?.problems.first?.message.hasPrefix("Line 2: ") == true && failure?.status == .badData)
        }
    }

    @Test("A template of many references takes a time in proportion to its length", .timeLimit(.minutes(1)))
    func manyReferences() throws {
        let line = "{{ autofill://a.example/jo/user }}\n"
        let lines = String(repeating: line, count: 20_000)
        #expect(try SecretTemplate(Array(lines.utf8)).elements.count == 40_000)
        let endless = Array((lines + "{{ autofill://").utf8)
        let failure = #expect(throws: CommandFailure.self) { try SecretTemplate(endless) }
        #expect(failure?.problems.first?.message.hasPrefix("Line 20001: ") == true)
    }
}

@Suite("autofillctl inject and run", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct InjectionTests {
    /// A service with a credential that has fields and codes.
    private func service() async throws -> TestService {
        let service = try await TestService.withVault()
        _ = try await service.proven("save", "a.example", "jo/x", "--password-fd", "3", inputs: [3: "pass word ä"])
        _ = try await service.proven(
            "edit", "a.example", "jo/x", "--field", "customer=4711", "--secret-field", "PIN", "--secret-field-fd", "3",
            "--label", "Shop", inputs: [3: "0815"])
        _ = try await service.proven(
            "code", "set", "a.example", "jo/x", "--uri-fd", "3",
            inputs: [3: "otpauth://totp/jo?secret=JBSWY3DPEHPK3PXP"])
        return service
    }

    /// What releases were for, as the log states it.
    private func purposes(_ service: TestService) async throws -> Set<String> {
        let log = try await service.proven("log", "--json").output
        return Set(log.matches(of: /"evidence":"([^"]*)"/).map { String($0.1) })
    }

    private func releases(_ service: TestService) async throws -> Int {
        try await service.proven("log", "--json").output.split(separator: #""method":"credential.get""#).count - 1
    }

    @Test("inject prints the template with the values; each credential is one recorded release to autofillctl")
    func inject() async throws {
        let service = try await service()
        let before = try await releases(service)
        let place = "autofill://a.example/jo%2Fx"
        let template =
            "p={{ \(place)/password }}\nu={{\(place)/user}} l={{ \(place)/label }} c={{ \(place)/customer }} "
            + "s={{ \(place)/PIN }} {{ other }}\n"
        let run = try await service.proven("inject", inputs: [0: template])
        #expect(run.output == "p=pass word ä\nu=jo/x l=Shop c=4711 s=0815 {{ other }}\n", "\(run.errors)")
        #expect(try await releases(service) == before + 1)
        #expect(try await purposes(service) == ["inject: standard input"])
        try service.directory.write("template", "{{ \(place)/code }}")
        let code = try await service.proven("inject", service.directory.path + "/template")
        #expect(code.output.wholeMatch(of: /[0-9]{6}/) != nil, "\(code.errors)")
        #expect(try await purposes(service).contains("inject: \(service.directory.path)/template"))
        let plain = try await service.run("inject", inputs: [0: "no reference"])
        #expect(plain.status == 0 && plain.output == "no reference", "\(plain.errors)")
        for (template, status, text) in [
            ("{{ \(place)/passwrd }}", 2, #"Did you mean "password" instead of "passwrd"?"#),
            ("{{ autofill://b.example/jo/password }}", 2, #"Did you mean "a.example" instead of "b.example"?"#),
            ("a\n{{ \(place) }}", 65, "Line 2: "), ("{{ \(place)/password", 65, "Write }} after it"),
        ] as [(String, Int32, String)] {
            let wrong = try await service.proven("inject", inputs: [0: "begin " + template])
            #expect(wrong.status == status && wrong.errors.contains(text) && wrong.output.isEmpty, "\(wrong)")
        }
        #expect(try await service.run("inject", inputs: [0: "{{ \(place)/user }}"]).status == 66)
    }

    @Test("run has the values in the command's environment only, with its exit status and its signals")
    func environment() async throws {
        let service = try await service()
        let environment = [
            "PW": "autofill://a.example/jo%2Fx/password", "CODE": "autofill://a.example/jo%2Fx/code",
            "OTHER": "autofill",
            "PATH": "/usr/bin:/bin",
        ]
        func run(_ words: String...) async throws -> CommandRun {
            try await CommandRun.of(
                ["run", "--socket", service.socket, "--key-file", service.key, "--"] + words, environment: environment)
        }
        let before = try await releases(service)
        let shown = try await run(
            "sh", "-c", #"echo "$PW/${#CODE}/$OTHER/$1"; echo "$LIBDISPATCH_LOG"; exit 7"#, "sh", "--x")
        #expect(shown.status == 7 && shown.output == "pass word ä/6/autofill/--x\n\n", "\(shown.errors)")
        #expect(try await releases(service) == before + 1)
        #expect(try await purposes(service) == ["run: sh"], "the arguments may be secret")
        #expect(try await service.proven("log").output.contains("), run: sh"))
        // Threads of libdispatch block signals. glibc's posix_spawn has its own signal 32 ignored in the program that it starts.
        let mask = try await run("grep", "^Sig[BI]", "/proc/self/status")
        #expect(mask.output.contains(/^SigBlk:\t0{16}\nSigIgn:\t0{8}[08]0{7}\n$/), "\(mask.output)")
        let missing = try await run("/nowhere")
        #expect(missing.status == 66 && missing.errors.contains(#""/nowhere" cannot be started: "#))
        let without = try await CommandRun.of(["run", "--", "echo", "x"], environment: ["PATH": "/bin"])
        #expect(without.status == 0 && without.output == "x\n", "\(without.errors)")
        let wrong = try await CommandRun.of(
            ["run", "--socket", service.socket, "--", "true"], environment: ["PW": "autofill://a.example"])
        #expect(wrong.status == 64 && wrong.errors.contains("PW: "))
        #expect(try await CommandRun.of(["run", "true"]).status == 64)
    }

    @Test("A command that run starts cannot read the vault's passphrase again", arguments: [0, 3] as [Int32])
    func descriptor(number: Int32) async throws {
        let service = try await TestService.withVault(passphrase: TestService.passphrase)
        let save = [
            "save", "a.example", "jo", "--password-fd", "4", "--passphrase-fd", "3", "--socket", service.socket,
        ]
        #expect(try await CommandRun.of(save, inputs: [3: TestService.passphrase, 4: "s3cret"]).status == 0)
        let command = ["sh", "-c", "echo $PW; exec <&\(number); cat"]
        let run = try await CommandRun.of(
            ["run", "--socket", service.socket, "--passphrase-fd", "\(number)", "--"] + command,
            inputs: [number: TestService.passphrase + "\nmore"],
            environment: ["PATH": "/bin", "PW": "autofill://a.example/jo/password"])
        #expect(run.status == 0 && run.output == "s3cret\n", "\(run.errors)")
    }

    @Test("search finds a text in sites, user names, labels and tags, whatever its case")
    func search() async throws {
        let service = try await service()
        _ = try await service.proven(
            "save", "b.example", "eve", "--password-fd", "3", "--tag", "Travel", inputs: [3: "p"])
        for (word, count) in [("SHOP", 1), ("example", 2), ("travel", 1), ("JO/", 1), ("b.ex", 1), ("4711", 0)] {
            let run = try await service.proven("search", word, "--json")
            #expect(run.output.split(separator: #""credential":"#).count - 1 == count, "\(word): \(run.output)")
            #expect(run.status == (count == 0 ? 2 : 0))
        }
        #expect(try await service.proven("search", "shop").output.contains("a.example"))
    }

    @Test("delete, get, edit, save, generate and code accept a site and a user, an id, or the site of one credential")
    func identified() async throws {
        let service = try await service()
        let listed = try await service.proven("list", "--json").output
        let id = try #require(listed.split(separator: "\"").first { $0.hasPrefix("crd_") }).description
        for place in [["a.example", "jo/x"], [id], ["a.example"]] {
            func run(_ words: [String], _ more: String..., inputs: [Int32: String] = [:]) async throws -> CommandRun {
                let run = try await CommandRun.of(
                    words + place + more + ["--socket", service.socket, "--key-file", service.key], inputs: inputs)
                #expect(run.status == 0, "\(words) \(place): \(run.errors)")
                return run
            }
            let password = try await run(["generate"], "--yes").output
            #expect(try await run(["get"], "--reveal").output == password)
            #expect(try await run(["get"]).output.contains(id))
            #expect(
                try await run(["edit"], "--label", "\(place.count) \(place[0])").output
                    == "Changed jo/x at a.example.\n")
            _ = try await run(["save"], "--password-fd", "3", inputs: [3: place[0]])
            #expect(try await run(["get"], "--reveal").output == place[0] + "\n")
            _ = try await run(["code", "get"])
            _ = try await run(["code", "export"])
            _ = try await run(["code", "delete"], "--yes")
            _ = try await run(
                ["code", "set"], "--uri-fd", "3", inputs: [3: "otpauth://totp/jo%2Fx?secret=JBSWY3DPEHPK3PXP"])
            _ = try await run(["delete"], "--yes")
            #expect(try await service.proven("delete", id, "--yes").output == "It was deleted already.\n")
            #expect(try await service.proven("undelete", id).output == "Restored \(id).\n")
        }
        _ = try await service.proven("generate", "a.example", "eve")
        let which = try await service.proven("delete", "a.example", "--yes")
        #expect(which.status == 64 && which.errors.contains("Fix: Name the user: autofillctl delete a.example "))
        #expect(try await service.proven("generate", "b.example").status == 64)
        #expect(try await service.proven("get", id, "jo/x").status == 64)
    }
}
