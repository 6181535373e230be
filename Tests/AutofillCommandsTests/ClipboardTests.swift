// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TestGround
import Testing

@testable import AutofillCommands

/// With a substitute for the session's program: its input, and the effect of its end.
@Suite("get --copy", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct ClipboardTests {
    private static let password = "correct horse 1"

    /// A service with one credential, and a program of that name in a directory of its own.
    private struct Stage {
        let service: TestService
        var clipboard: String { service.directory.path + "/clipboard" }

        init(_ program: String, _ script: String) async throws {
            service = try await TestService.withVault()
            _ = try await service.proven(
                "save", "a.example", "jo", "--password-fd", "3", inputs: [3: ClipboardTests.password])
            try service.directory.writeProgram(
                "bin/\(program)", "#!/bin/sh\nhere='\(service.directory.path)'\n" + script)
        }

        func arguments(_ more: String...) -> [String] {
            ["get", "a.example", "--copy", "--socket", service.socket, "--key-file", service.key] + more
        }

        func environment(_ display: String) -> [String: String] {
            ["PATH": service.directory.path + "/bin", display: "here"]
        }

        func copied() -> String? { try? String(contentsOfFile: clipboard, encoding: .utf8) }
    }

    /// Holds it until it is ended.
    private static let holding = """
        trap 'echo gone >"$here/clipboard"; exit 0' TERM
        /bin/cat >"$here/clipboard.new"
        /bin/mv "$here/clipboard.new" "$here/clipboard"
        while :; do /bin/sleep 1; done
        """

    @Test(
        "The password goes to the session's program by a pipe, byte for byte; something else is copied, and it ends",
        arguments: [
            ("wl-copy", "WAYLAND_DISPLAY", "--foreground\n"), ("xclip", "DISPLAY", "-selection clipboard -quiet\n"),
            ("xsel", "DISPLAY", "--clipboard --input --nodetach\n"),
        ])
    func programs(program: String, display: String, arguments: String) async throws {
        let stage = try await Stage(program, #"echo "$@" >"$here/arguments"; /bin/cat >"$here/clipboard""#)
        let run = try await CommandRun.of(stage.arguments(), environment: stage.environment(display))
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
        // Later copies of other programs are not touched: the clipboard is as the substitute has left it.
        #expect(stage.copied() == Self.password)
        let given = try String(contentsOfFile: stage.service.directory.path + "/arguments", encoding: .utf8)
        #expect(given == arguments)
        let json = try await CommandRun.of(stage.arguments("--json"), environment: stage.environment(display))
        #expect(json.output.contains(#""user":"jo""#) && !json.output.contains(Self.password))
    }

    @Test("When the time is over the program is ended, and what it held is gone")
    func timeOut() async throws {
        let stage = try await Stage("wl-copy", Self.holding)
        let run = try await CommandRun.of(
            stage.arguments("--seconds", "1"), environment: stage.environment("WAYLAND_DISPLAY"))
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
        #expect(stage.copied() != Self.password)
    }

    @Test("Control-C removes it from the clipboard at once")
    func interrupted() async throws {
        let stage = try await Stage("wl-copy", Self.holding)
        let run = try await CommandRun.atTerminal(
            stage.arguments("--seconds", "600"), dialogue: [("Control-C removes it", "\u{3}")], printsThere: true,
            environment: stage.environment("WAYLAND_DISPLAY"))
        #expect(run.status == 130 && run.errors.contains("removed from the clipboard"))
        #expect(!run.screen.contains(Self.password))
        #expect(stage.copied() != Self.password)
    }

    @Test(
        "A failing program, a missing program and a missing display are reported with their fixes, before a password is asked for"
    )
    func failures() async throws {
        let stage = try await Stage("xclip", "exit 3\n")
        let failed = try await CommandRun.of(stage.arguments(), environment: stage.environment("DISPLAY"))
        #expect(failed.status == 71 && failed.errors.contains("exit status 3") && failed.errors.contains("Fix: "))
        let none = try await CommandRun.of(stage.arguments(), environment: stage.environment("WAYLAND_DISPLAY"))
        #expect(none.status == 69 && none.errors.contains("Install wl-clipboard"))
        let nowhere = try await CommandRun.of(["get", "a.example", "--copy"])
        #expect(nowhere.status == 66 && nowhere.errors.contains("WAYLAND_DISPLAY"))
        for wrong in [["--reveal"], ["--seconds", "0"], ["--seconds", "601"]] {
            #expect(try await CommandRun.of(["get", "a.example", "--copy"] + wrong).status == 64)
        }
    }
}
