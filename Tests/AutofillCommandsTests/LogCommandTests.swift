// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl log", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct LogCommandTests {
    /// A journal of the test's own: a journalctl that gives these lines.
    private func journal(_ service: TestService, _ lines: [String]) throws -> [String: String] {
        try service.directory.write("bin/lines", lines.map { $0 + "\n" }.joined())
        try service.directory.writeProgram(
            "bin/journalctl", "#!/bin/sh\nprintf '%s\\n' \"$*\" >\"${0%/*}/arguments\"\nexec cat \"${0%/*}/lines\"\n")
        return ["PATH": service.directory.path + "/bin:/usr/bin:/bin"]
    }

    private func entry(_ time: String, _ app: String, reason: String?) -> String {
        #"{"__REALTIME_TIMESTAMP":"\#(time)","MESSAGE":"x","AUTOFILL_BUNDLE_ID":"\#(app)","#
            + #""AUTOFILL_METHOD":"autofill.suggest","AUTOFILL_DOMAIN":"a.example","AUTOFILL_PEER_PID":"7""#
            + (reason.map { #","AUTOFILL_REASON":"\#($0)","AUTOFILL_FIX":"fix it""# } ?? "") + "}"
    }

    @Test(
        "The record and the journal are shown in one table by time, without the journal's copies of recorded releases")
    func both() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven(
            "save", "shop.example.com", "ann", "--password-fd", "3", inputs: [3: "correct horse"])
        #expect(try await service.proven("get", "shop.example.com", "--reveal").status == 0)
        let environment = try journal(
            service,
            [
                entry("1000000000123456", "org.example.Early", reason: "vault-locked"),
                entry("4102444800000000", "org.example.Late", reason: "grant-missing"),
                entry("4102444800000000", "org.example.Copy", reason: nil), "no JSON", #"{"MESSAGE":["a","b"]}"#,
            ])
        let run = try await CommandRun.of(
            ["log", "--socket", service.socket, "--key-file", service.key], environment: environment)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let rows = run.output.split(separator: "\n")
        #expect(rows.count == 4, "\(run.output)")
        #expect(rows[1].hasPrefix("2001-09-09 01:46:40Z") && rows[1].contains("refused: vault-locked"))
        #expect(rows[2].contains("org.autofilld.autofillctl") && rows[2].contains("credential.get"))
        #expect(rows[2].contains("released") && rows[2].contains("shop.example.com"))
        #expect(rows[3].hasPrefix("2100-01-01") && rows[3].contains("refused: grant-missing"))
        let one = try await CommandRun.of(
            ["log", "--app", "org.example.Late", "--json", "--socket", service.socket, "--key-file", service.key],
            environment: environment)
        #expect(one.output.hasPrefix(#"{"entries":[{"at":"2100-01-01T00:00:00.000Z","source":"journal","#))
        #expect(one.output.contains(#""fix":"fix it""#) && one.output.hasSuffix("],\"missing\":[]}\n"))
        let arguments = try String(contentsOfFile: service.directory.path + "/bin/arguments", encoding: .utf8)
        #expect(arguments.contains("_SYSTEMD_USER_UNIT=autofilld.service") && arguments.contains("_UID=\(geteuid())"))
    }

    @Test("Missing entries of the record are named by the times of those around them")
    func missing() {
        func entry(_ number: Int) -> ReleaseReport {
            ReleaseReport(
                number: number, at: "2026-11-21T09:30:0\(number).000Z", bundleID: "org.example.Shop",
                assurance: "claimed",
                process: 7, executable: "/usr/bin/shop", unit: nil, method: "credential.get", service: nil,
                keychain: nil,
                object: nil, grant: nil, refused: nil)
        }
        let entries = [entry(7), entry(3), entry(2)]
        #expect(
            MissingReleases(first: 4, last: 6).text(among: entries)
                == "3 entries of the record of releases after 2026-11-21T09:30:03.000Z before 2026-11-21T09:30:07.000Z: "
                + "damaged or removed")
        #expect(
            MissingReleases(first: 1, last: 1).text(among: entries)
                == "1 entry of the record of releases before 2026-11-21T09:30:02.000Z: damaged or removed")
    }

    @Test("--since leaves out earlier entries, of both")
    func since() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven("get", "shop.example.com")
        let environment = try journal(service, [entry("1795253400123456", "org.example.Early", reason: "vault-locked")])
        let run = try await CommandRun.of(
            ["log", "--since", "2099-01-01", "--socket", service.socket, "--key-file", service.key],
            environment: environment)
        #expect(run.status == 0 && run.output == "There are no entries.\n")
        let wrong = try await CommandRun.of(["log", "--since", "yesterday", "--socket", service.socket])
        #expect(wrong.status == 64 && wrong.errors.contains("30m, 12h, 7d"))
    }

    @Test(
        "Without a journal this is reported and the record is shown; without proof the journal; without both the exit status is 66"
    )
    func absent() async throws {
        let service = try await TestService.withVault()
        _ = try await service.proven(
            "save", "shop.example.com", "ann", "--password-fd", "3", inputs: [3: "correct horse"])
        #expect(try await service.proven("get", "shop.example.com", "--reveal").status == 0)
        let record = try await CommandRun.of(
            ["log", "--socket", service.socket, "--key-file", service.key], environment: ["PATH": "/nowhere"])
        #expect(record.status == 0 && record.output.contains("credential.get"))
        #expect(record.errors == "autofillctl: not shown: the journal: journalctl is not installed\n")
        let environment = try journal(service, [entry("1795253400123456", "org.example.Early", reason: "vault-locked")])
        let journal = try await CommandRun.of(["log", "--socket", service.socket], environment: environment)
        #expect(journal.status == 0 && journal.output.contains("org.example.Early"))
        #expect(
            journal.errors.contains("not shown: the record of releases: There is no terminal to prompt on\n  Fix: Add ")
        )
        // An option that was given must be usable.
        let mistaken = try await CommandRun.of(
            ["log", "--socket", service.socket, "--key-file", "/nowhere"], environment: environment)
        #expect(mistaken.status == 66 && mistaken.output.isEmpty && mistaken.errors.contains("/nowhere"))
        let interrupted = try await CommandRun.atTerminal(
            ["log", "--follow", "--socket", service.socket], dialogue: [("Passphrase", "\u{3}")],
            environment: environment)
        #expect(interrupted.status == 130 && interrupted.output.isEmpty)
        let neither = try await CommandRun.of(["log", "--socket", service.socket], environment: ["PATH": "/nowhere"])
        #expect(neither.status == 66)
    }

    @Test("New entries of the journal are followed until it ends")
    func follow() async throws {
        let service = try await TestService.withVault()
        let environment = try journal(service, [entry("1795253400123456", "org.example.Now", reason: "grant-missing")])
        let run = try await CommandRun.of(
            ["log", "--follow", "--journal-only", "--since", "2099-01-01", "--socket", service.socket],
            environment: environment)
        #expect(run.output.contains("2026-11-21 09:30:00Z  org.example.Now  autofill.suggest  a.example"))
        let arguments = try String(contentsOfFile: service.directory.path + "/bin/arguments", encoding: .utf8)
        #expect(arguments.contains("--follow"))
    }

    @Test("Instants are read and written as on the wire")
    func times() throws {
        #expect(LogTime("2026-11-21T09:30:00.123Z")?.milliseconds == 1_795_253_400_123)
        #expect(LogTime("2026-11-21T09:30:00Z")?.text == "2026-11-21T09:30:00.000Z")
        #expect(LogTime("2024-02-29")?.text == "2024-02-29T00:00:00.000Z")
        for text in ["2026-02-30", "yesterday", "2026-11-21 09:30", "2026-11-21T09:30:00+01:00"] {
            #expect(LogTime(text) == nil)
        }
        let now = LogTime(milliseconds: 100_000_000_000)
        #expect(try LogTime(argument: "2d", now: now).milliseconds == 100_000_000_000 - 172_800_000)
    }
}
