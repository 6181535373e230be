// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl demo", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct DemoTests {
    @Test("The main job is done for real, and nothing is left behind")
    func succeeds() async throws {
        let directory = try TemporaryDirectory()
        let run = try await CommandRun.of(
            ["demo", "--full", "--daemon", TestService.executable ?? ""], environment: ["TMPDIR": directory.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.errors.isEmpty)
        for line in [
            #"→ {"jsonrpc":"2.0","id":2,"method":"autofill.suggest""#, #""method":"autofill.fill""#,
            #""method":"autofill.accept""#, #""method":"admin.grant.allow""#, "interaction-required",
            "journal │ [AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.NotSetUp due to "
                + "error: Cannot save passwords for this app. Make sure you have set up Associated Domains for your app "
                + "and AutoFill Passwords is enabled in Settings",
            "Done in ",
        ] {
            #expect(run.output.contains(line))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test("It fits on two screens, and shows the passwords and the reasons, Apple's form and one by rules among them")
    func twoScreens() async throws {
        let run = try await CommandRun.atTerminal(
            ["demo", "--daemon", TestService.executable ?? ""], dialogue: [], printsThere: true, columns: 80)
        #expect(run.status == 0, "\(run.screen)\(run.errors)")
        let lines = run.screen.split(whereSeparator: \.isNewline).map { $0.replacing(#/\u{1B}\[[0-9]*m/#, with: "") }
        #expect(lines.count <= 48, "\(lines.count) lines:\n\(run.screen)")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.screen)")
        let bold = run.screen.matches(of: #/\u{1B}\[1m"password":"([^"]*)"\u{1B}\[0m/#).map { String($0.output.1) }
        #expect(bold.contains { $0.split(separator: "-").map(\.count) == [6, 6, 6] }, "\(bold)")
        #expect(bold.contains { $0.utf8.count <= 14 }, "\(bold)")
        for reason in ["interaction-required", "associated-domains-missing"] {
            #expect(run.screen.contains("\u{1B}[1m\"reason\":\"\(reason)\"\u{1B}[0m"), "\(run.screen)")
        }
        #expect(lines.contains { $0.hasPrefix("Fix: ") })
    }

    @Test("A line of the protocol is cut to its method or outcome, and keeps its essential content, wherever it is")
    func excerpts() {
        func shown(_ line: String) -> String? {
            DemoExcerpt(line, columns: 40).map { $0.before + "<" + $0.essence + ">" + $0.after }
        }
        let sent = #"{"jsonrpc":"2.0","id":2,"method":"autofill.fill","params":{"offer":"off_1"}}"#
        #expect(shown(sent) == #"autofill.fill {"offer":"off_1"}<>"#)
        let filled =
            #"{"jsonrpc":"2.0","id":3,"result":{"user":null,"values":["a","b","c","d"],"password":"x\"y","more":1}}"#
        #expect(shown(filled) == #"{"user":null,"values"…<"password":"x\"y">…"#)
        #expect(shown(filled)?.filter { $0 != "<" && $0 != ">" }.count == 40)
        let refused = #"{"jsonrpc":"2.0","id":4,"error":{"code":1,"data":[{"reason":"vault-locked"}]}}"#
        #expect(
            shown(refused)?.hasPrefix("error {") == true
                && shown(refused)?.contains(#"<"reason":"vault-locked">"#) == true)
        #expect(shown(#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}"#) == nil)
        #expect(shown("no JSON at all") == "no JSON at all<>")
    }

    @Test("With --json it is one object a line")
    func json() async throws {
        let run = try await CommandRun.of(["demo", "--json", "--daemon", TestService.executable ?? ""])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"type":""#) && $0.hasSuffix("\"}") })
        #expect(lines.filter { $0.hasPrefix(#"{"type":"journal""#) }.count >= 4)
    }

    @Test("A daemon that does not start is reported, with exit status 1, and nothing is left behind")
    func fails() async throws {
        let directory = try TemporaryDirectory()
        let run = try await CommandRun.of(["demo", "--daemon", "/bin/false"], environment: ["TMPDIR": directory.path])
        #expect(run.status == 1 && run.errors.contains("did not start"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        #expect(try await CommandRun.of(["demo", "--daemon", "/nowhere"]).status == 66)
    }

    @Test(
        "Interrupted at any step, it ends the daemon and removes its directory",
        arguments: ["2. The daemon", "3. autofillctl", "6. kill -9"])
    func interrupted(step: String) async throws {
        var isInterrupted = false
        // If this process is too late to type it, the demo has already ended: try again.
        for _ in 0..<10 where !isInterrupted {
            let directory = try TemporaryDirectory()
            let run = try await CommandRun.atTerminal(
                ["demo", "--full", "--daemon", TestService.executable ?? ""], dialogue: [(step, "\u{3}")],
                printsThere: true,
                environment: ["TMPDIR": directory.path])
            isInterrupted = run.status == 130
            #expect(isInterrupted || run.screen.contains("Done in"), "\(run.screen)\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
        #expect(isInterrupted)
    }
}
