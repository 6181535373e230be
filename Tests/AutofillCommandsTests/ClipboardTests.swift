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

    /// As wl-copy 2.1.0: its input is in a file below /tmp with the name of its input, and SIGTERM ends it with that left.
    private static let buffering = """
        folder=$(/bin/mktemp -d /tmp/wl-copy-buffer-XXXXXX)
        name=$(/usr/bin/realpath -e /dev/fd/0) || name=stdin
        /bin/cat >"$folder/${name##*/}"
        echo "$TMPDIR" >"$here/temporary"
        /bin/cp "$folder/${name##*/}" "$here/clipboard"
        echo "$folder" >"$here/buffer.new"
        /bin/mv "$here/buffer.new" "$here/buffer"
        while :; do /bin/sleep 1; done
        """

    /// Runs a program, signals it when wl-copy has the file `$1`, and waits until the folder that it names is removed.
    private static let ending = """
        record=$1 signal=$2
        shift 2
        "$@" &
        while [ ! -e "$record" ] && kill -0 $!; do /bin/sleep 0.1; done
        folder=$(/bin/cat "$record")
        kill -"$signal" $!
        wait $!
        status=$?
        tries=0
        while [ -e "$folder" ] && [ $((tries += 1)) -le 600 ]; do /bin/sleep 0.1; done
        [ ! -e "$folder" ] || echo "left: $folder"
        exit $status
        """

    @Test(
        "The file of wl-copy 2.1.0 is removed when the time is over, on an interrupt, and when autofillctl was killed",
        arguments: [("0", 3, 0), ("INT", 60, 130), ("KILL", 20, 137)] as [(String, Int, Int32)])
    func file(signal: String, seconds: Int, status: Int32) async throws {
        let stage = try await Stage("wl-copy", Self.buffering)
        let here = stage.service.directory.path
        let script = ["-c", Self.ending, "sh", here + "/buffer", signal, CommandRun.executable ?? ""]
        let run = try await CommandRun.of(
            program: "/bin/sh", script + stage.arguments("--seconds", "\(seconds)"),
            environment: stage.environment("WAYLAND_DISPLAY").merging(["XDG_RUNTIME_DIR": here]) { $1 })
        #expect(run.status == status && run.output.isEmpty, "\(run.output)\(run.errors)")
        #expect(stage.copied() == Self.password)
        let temporary = try String(contentsOfFile: here + "/temporary", encoding: .utf8)
        #expect(temporary.hasPrefix(here + "/autofill-copy."))
        let left = try FileManager.default.contentsOfDirectory(atPath: here)
        #expect(!left.contains { $0.hasPrefix("autofill-copy.") })
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
