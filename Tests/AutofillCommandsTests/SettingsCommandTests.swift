// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl settings", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct SettingsCommandTests {
    private func file(_ service: TestService) throws -> String {
        try String(contentsOfFile: service.directory.path + "/settings.json", encoding: .utf8)
    }

    @Test("A setting is changed in the file, shown, and reverted")
    func lifecycle() async throws {
        let service = try await TestService.withVault()
        #expect(try await service.run("settings", "set", "lockWhenIdleMinutes", "15").status == 0)
        #expect(try file(service) == "{\n  \"lockWhenIdleMinutes\": 15\n}\n")
        #expect(try await service.run("settings", "get", "lockWhenIdleMinutes").output == "15\n")
        let list = try await service.run("settings", "list")
        let row = try #require(list.output.split(separator: "\n").first { $0.hasPrefix("lockWhenIdleMinutes") })
        #expect(row.contains("15") && row.contains("user"))
        let unset = try await service.proven("settings", "unset", "lockWhenIdleMinutes", "--json")
        #expect(unset.status == 0 && unset.output == "{\"changed\":true}\n")
        #expect(try file(service) == "{}\n")
    }

    @Test("A change that weakens protection is refused without proof if there is no terminal, and made with proof")
    func weakening() async throws {
        let service = try await TestService.withVault()
        let refused = try await service.run("settings", "set", "autoFill", "off")
        #expect(refused.status == 66 && refused.errors.contains("--passphrase-fd N or --key-file PATH"))
        #expect(try await service.run("settings", "get", "autoFill").output == "on\n")
        #expect(try await service.proven("settings", "set", "autoFill", "off").status == 0)
        #expect(try await service.run("settings", "get", "autoFill", "--json").output.contains(#""value":false"#))
        let app = ["settings", "set", "strongPasswords", "off", "--app", "org.example.Shop"]
        #expect(try await CommandRun.of(app + ["--socket", service.socket, "--key-file", service.key]).status == 0)
        #expect(try file(service).contains(#""strongPasswordsByApp": {"org.example.Shop": false}"#))
        let shown = try await service.proven("settings", "get", "strongPasswords", "--app", "org.example.Shop")
        #expect(shown.output == "off\n")
    }

    @Test("What is hidden is shown with any proof, the recovery key at the terminal among them")
    func hidden() async throws {
        let service = try await TestService()
        let made = try await service.run(
            "vault", "create", "--no-passphrase", "--key-file", service.key, "--recovery-key")
        let key = try #require(
            made.output.split(separator: "\n").map { $0.drop { $0 == " " } }.first {
                $0.split(separator: "-").count == 8
            })
        #expect(try await service.run("settings", "list").output.contains("(with proof)"))
        #expect(try await !service.proven("settings", "list").output.contains("(with proof)"))
        let listed = try await CommandRun.atTerminal(
            ["settings", "list", "--recovery-key", "--socket", service.socket],
            dialogue: [("Recovery key of the vault: ", key + "\n")])
        #expect(listed.status == 0 && !listed.output.contains("(with proof)"), "\(listed.errors)")
    }

    @Test("A setting that is not there, and a value that is none, end with 64 and the fix")
    func wrong() async throws {
        let service = try await TestService.withVault()
        for arguments in [
            ["autofill", "on"], ["logLevel", "loud"], ["logLevel", "debugg"], ["logLevel", "7"],
            ["lockWhenIdleMinutes", "-1"], ["lockWhenIdleMinutes", "soon"], ["autoFill", "maybe"],
            ["strongPasswordBits", "5000"],
        ] {
            let command = ["settings", "set"] + (arguments[1] == "-1" ? ["--", arguments[0], "-1"] : arguments)
            let run = try await CommandRun.of(["settings", "set", "--socket", service.socket] + command.dropFirst(2))
            #expect(run.status == 64)
            let mistakes = #/is not as it should be \(parameter-invalid\)|no setting "\w+"/#
            #expect(run.errors.contains(mistakes), "\(run.errors)")
            #expect(run.errors.contains(#/\n  Fix: (Give|Did you mean:) /#), "\(run.errors)")
            #expect(!run.errors.contains("Send"), "\(run.errors)")
        }
    }

    @Test("An edited file counts after a reload; one with mistakes leaves what was in force")
    func reload() async throws {
        let service = try await TestService.withVault()
        try service.directory.write("settings.json", #"{"strongPasswordBits": 100}"#)
        kill(service.process.processID, SIGHUP)
        try await value("100", service)
        _ = service.process.journal()
        try service.directory.write("settings.json", "{")
        kill(service.process.processID, SIGHUP)
        let lines = await journal(of: service)
        #expect(lines.contains { $0.contains("settings.json") }, "\(lines)")
        let run = try await service.run("settings", "set", "strongPasswordBits", "110")
        #expect(run.status == 1 && run.errors.contains("(settings-invalid)"))
        #expect(try await service.run("settings", "get", "strongPasswordBits").output == "100\n")
    }

    /// Its next message about its settings file.
    private func journal(of service: TestService) async -> [String] {
        await withCheckedContinuation { continuation in
            // A queue of its own, because it blocks, and the global queues have few threads.
            DispatchQueue(label: "org.autofilld.test.journal").async {
                continuation.resume(
                    returning: service.process.journal(until: { $0.contains("settings.json") }, within: .seconds(60)))
            }
        }
    }

    /// Waits until the signal has been handled: the daemon does not report that.
    private func value(_ value: String, _ service: TestService) async throws {
        for _ in 0..<500 {
            if try await service.run("settings", "get", "strongPasswordBits").output == value + "\n" { return }
        }
        Issue.record("the reload did not happen")
    }
}
