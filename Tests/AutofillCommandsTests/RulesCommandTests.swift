// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("autofillctl rules", .enabled(if: CommandRun.executable != nil, "needs autofillctl beside the tests"))
struct RulesCommandTests {
    private func rules(_ arguments: String..., input: String = "") async throws -> CommandRun {
        try await CommandRun.of(["rules"] + arguments, inputs: [0: input])
    }

    @Test("parse shows the canonical rules, and each mistake with its position and fix")
    func parse() async throws {
        let run = try await rules("parse", "required: digits; minlength: 8 ;")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("required: digit\nallowed: digit\n"))
        #expect(run.output.contains("note at 10: ") && run.output.contains("error at 29: "))
        #expect(run.output.contains("  Fix: Write \"8;\"."))
    }

    @Test("sample without rules draws what a site without rules gets")
    func sampleByDefault() async throws {
        let apple = #/(?:[a-zA-Z0-9]{6}-[a-zA-Z0-9]{6}-[a-zA-Z0-9]{6}\n){3}/#
        for arguments in [["-n", "3"], ["-n", "3", ""]] {
            let run = try await CommandRun.of(["rules", "sample"] + arguments)
            #expect(run.status == 0 && run.output.wholeMatch(of: apple) != nil, "\(run)")
        }
    }

    @Test("parse --batch answers each line with one object, in either reading")
    func batch() async throws {
        let input = #"""
            "required: [a\u0000-]; minlength: 8"
             "required:\r\ndigits"
            ""
            "required: \ud83d"

            """#
        let run = try await rules("parse", "--json", "--apple", "--batch", input: input)
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        try #require(lines.count == 4)
        #expect(
            lines[0].hasPrefix(
                #"{"canonical":[{"name":"required","value":[{"custom":"a"}]},{"name":"allowed","value":[{"custom":"a"}]},"#
                    + #"{"name":"minlength","value":8}],"error":true,"#))
        let nothing = #"{"canonical":[{"name":"allowed","value":[{"class":"ascii-printable"}]}],"error":"#
        #expect(lines[1].hasPrefix(nothing + "true"))
        #expect(lines[2].hasPrefix(nothing + "false") && lines[2].hasSuffix(#""diagnostics":[]}"#))
        #expect(lines[3].hasPrefix(nothing + "true"))
        let lenient = try await rules("parse", "--batch", input: #""required: digits""#)
        #expect(lenient.output.contains(#""value":[{"class":"digit"}]"#) && lenient.output.contains(#""error":false"#))
    }

    @Test("A line that is no JSON string is answered too, and the status is 65")
    func badBatch() async throws {
        let run = try await rules("parse", "--batch", input: "minlength: 8\n\"minlength: 8\"\n\"\\x\"\n\"a\nb\"")
        #expect(run.status == 65)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.filter { $0.contains("not-a-json-string") }.count == 4)
    }

    @Test("check ends with 0 when all passwords hold, and never prints one")
    func check() async throws {
        let descriptor = "required: upper; required: digit; allowed: lower; max-consecutive: 2"
        #expect(try await rules("check", descriptor, input: "Ab1\nzZ9z\n").status == 0)
        let run = try await rules("check", descriptor, input: "Ab1\nsecret\n")
        #expect(run.status == 1)
        #expect(run.output.contains("line 2: 1 character short of required: upper"))
        #expect(run.errors.contains("1 of 2 passwords breaks the rules"))
        #expect(!run.output.contains("secret") && !run.errors.contains("secret"))
        let json = try await rules("check", "--json", "maxlength: 2", input: "abc")
        #expect(
            json.status == 1 && json.output.contains(#""code":"too-long","rule":"maxlength: 2","offset":2,"length":1"#))
    }

    @Test("What sample prints, check accepts")
    func sample() async throws {
        let descriptor = "required: lower; required: [!?]; max-sequential: 1; minlength: 9; maxlength: 12"
        let samples = try await rules("sample", "-n", "300", "--style", "random", descriptor)
        #expect(samples.output.split(separator: "\n").count == 300)
        #expect(try await rules("check", descriptor, input: samples.output).status == 0)
        let long = try await rules("sample", "-n", "5000", "--length", "200", "")
        #expect(long.output.utf8.count == 5000 * 201)
        #expect(try await rules("sample", "").output.utf8.count == 21)
    }

    @Test("entropy prints the exact count, also where it is nothing")
    func entropy() async throws {
        let readable = try await rules("entropy", "--style", "readable", "--json", "")
        #expect(readable.output.contains(#""count":"4347975615324244531200","bits":71.880834,"format":"readable""#))
        let none = try await rules("entropy", "--length", "1", "--json", "required: upper; required: lower")
        #expect(none.status == 0 && none.output.contains(#""count":"0","bits":null"#))
        let legacy = try await rules(
            "entropy", "--length", "3", "--reading", "legacy", "--json", "max-consecutive: 1; allowed: [ab]")
        #expect(legacy.output.contains(#""count":"2""#))
    }

    @Test("explain prints the requirements, samples, bits, HTML and Swift")
    func explain() async throws {
        let run = try await rules("explain", #"required: ["'<&]; required: digit; maxlength: 20"#)
        #expect(run.status == 0)
        for text in [
            "at least one of 0–9", "at most 20 characters", "bits: one of ", "Raise maxlength to 64",
            #"passwordrules="required: [&quot;&amp;&#39;&lt;]; required: digit; maxlength: 20;""#,
            #"PasswordRules(descriptor: "required: [\"&'<]; required: digit; maxlength: 20;")"#,
        ] {
            #expect(run.output.contains(text), "\(text)")
        }
    }

    @Test("Rules that nothing can meet are refused with the rules in conflict, on every command that draws")
    func conflict() async throws {
        for command in ["explain", "sample", "entropy"] {
            let run = try await rules(command, "minlength: 9; maxlength: 8")
            #expect(run.status == 1)
            #expect(run.errors.contains("minlength: 9; maxlength: 8 (rules-conflict)"))
        }
        let long = try await rules("parse", "--json", String(repeating: "minlength: 8; ", count: 300))
        #expect(long.status == 1 && long.errors.contains("rules-too-long"))
    }
}
