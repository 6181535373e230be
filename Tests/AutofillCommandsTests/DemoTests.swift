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
            ["demo", "--daemon", TestService.executable ?? ""], environment: ["TMPDIR": directory.path])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.errors.isEmpty)
        for part in [
            #"→ {"jsonrpc":"2.0","id":2,"method":"autofill.suggest""#, #""method":"autofill.fill""#,
            #""method":"autofill.accept""#, #""method":"grant.allow""#, "interaction-required",
            "journal │ [AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.NotSetUp due to "
                + "error: Cannot save passwords for this app. Make sure you have set up Associated Domains for your app "
                + "and AutoFill Passwords is enabled in Settings",
            "Done in ",
        ] {
            #expect(run.output.contains(part))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test("With --json it is one object a line")
    func json() async throws {
        let run = try await CommandRun.of(["demo", "--json", "--daemon", TestService.executable ?? ""])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"type":""#) && $0.hasSuffix("\"}") })
        #expect(lines.filter { $0.hasPrefix(#"{"type":"journal""#) }.count >= 4)
    }

    @Test("A daemon that does not start is told as what it is, with 1, and nothing is left behind")
    func fails() async throws {
        let directory = try TemporaryDirectory()
        let run = try await CommandRun.of(["demo", "--daemon", "/bin/false"], environment: ["TMPDIR": directory.path])
        #expect(run.status == 1 && run.errors.contains("did not start"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        #expect(try await CommandRun.of(["demo", "--daemon", "/nowhere"]).status == 66)
    }

    @Test(
        "Interrupted at any step, it ends the daemon and takes its directory away",
        arguments: ["2. The daemon", "3. autofillctl", "5. kill -9"])
    func interrupted(step: String) async throws {
        var isInterrupted = false
        // Where this process comes too late to type it, the demo is done by then: another time.
        for _ in 0..<10 where !isInterrupted {
            let directory = try TemporaryDirectory()
            let run = try await CommandRun.atTerminal(
                ["demo", "--daemon", TestService.executable ?? ""], dialogue: [(step, "\u{3}")],
                printsThere: true,
                environment: ["TMPDIR": directory.path])
            isInterrupted = run.status == 130
            #expect(isInterrupted || run.screen.contains("Done in"), "\(run.screen)\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
        #expect(isInterrupted)
    }
}
