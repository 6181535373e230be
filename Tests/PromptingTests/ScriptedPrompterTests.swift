// SPDX-License-Identifier: Apache-2.0
import Foundation
import Prompting
import SecretMemory
import TestGround
import Testing

@Suite("A prompter's answers", .serialized, .blocking)
struct ScriptedPrompterTests {
    private static let limit = 60_000

    private func ask(
        _ prompt: Prompt, _ answers: String, greeting: String = "echo 'OK Pleased to meet you'", limit: Int = limit
    ) throws -> (word: String, lines: [String]) {
        let test = try TestPrompter(answers, greeting: greeting)
        let withdrawal = try #require(Withdrawal())
        let outcome = test.prompter.ask(prompt, withinMilliseconds: limit, withdrawal: withdrawal)
        return (outcome.word, test.lines)
    }

    @Test("It is told title, text, buttons, display and how long to wait; OK is yes")
    func confirmed() throws {
        let (word, lines) = try ask(.question, "")
        #expect(word == "confirmed")
        #expect(
            lines == [
                "OPTION lc-ctype=C.UTF-8", "OPTION lc-messages=C.UTF-8", "OPTION display=:7", "GETINFO flavor",
                "SETTIMEOUT 59", "SETTITLE Password AutoFill", "SETDESC May it?%0AProgram: /usr/bin/50%25",
                "SETOK Allow", "SETCANCEL Do not allow", "CONFIRM",
            ])
    }

    @Test(
        "Cancelled, not confirmed, timed out, failed, ended, or speaking nonsense: all mean no, once",
        arguments: [
            ("CONFIRM) echo 'ERR 83886179 Operation cancelled <Pinentry>' ;;", "declined"),
            ("CONFIRM) echo 'ERR 83886194 Not confirmed <Pinentry>' ;;", "declined"),
            ("CONFIRM) echo 'S BUTTON_INFO close'; echo 'ERR 83886179 cancelled' ;;", "declined"),
            ("CONFIRM) echo 'ERR 83886142 Timeout <Pinentry>' ;;", "timed out"),
            ("CONFIRM) echo 'ERR 83886363 Inappropriate ioctl <Pinentry>' ;;", "unavailable"),
            ("CONFIRM) exit 0 ;;", "unavailable"), ("CONFIRM) kill -9 $$ ;;", "unavailable"),
            ("CONFIRM) echo yes ;;", "unavailable"), ("CONFIRM) echo INQUIRE QUALITY abc ;;", "unavailable"),
            ("CONFIRM) head -c 9000 /dev/zero | tr '\\\\0' a; echo ;;", "unavailable"),
            ("SETDESC*) exit 1 ;;", "unavailable"),
        ])
    func refusals(answer: String, word: String) throws {
        #expect(try ask(.question, answer).word == word)
    }

    @Test("One that does not answer in time is ended")
    func silent() throws {
        #expect(try ask(.question, "CONFIRM) sleep 1000 ;;", limit: 300).word == "timed out")
        #expect(try ask(.question, "", greeting: "exit 0").word == "unavailable")
    }

    @Test("One that does not know an option or a setting asks all the same")
    func unknownCommands() throws {
        let answer = "OPTION*|SETTITLE*|SETTIMEOUT*|GETINFO*) echo 'ERR 83886254 Unknown option' ;;"
        #expect(try ask(.question, answer).word == "confirmed")
    }

    @Test(
        "A passphrase comes as its bytes, out of as many data lines as it takes",
        arguments: [
            ("D secret", "secret"), ("D p%25a%0Aé%e2%82%ac", "p%a\né€"), ("D one\nD two", "onetwo"),
            ("S PASSWORD_FROM_CACHE\nD x", "x"), ("# a comment", ""),
        ])
    func passphrase(sent: String, expected: String) throws {
        let lines = sent.split(separator: "\n").map { "printf '%s\\n' '\($0)'; " }.joined()
        let (word, told) = try ask(.secret, "GETPIN) \(lines) echo OK ;;")
        #expect(word == "passphrase \(expected)")
        #expect(
            told.suffix(5) == [
                "SETPROMPT Passphrase:", "SETOK Unlock", "SETCANCEL Cancel", "SETERROR Wrong.", "GETPIN",
            ])
    }

    @Test("A passphrase that is longer than any, or malformed, is none")
    func notAPassphrase() throws {
        let long = "i=0; while [ $i -lt 30 ]; do printf 'D %050d\\n' 0; i=$((i+1)); done; echo OK"
        #expect(try ask(.secret, "GETPIN) \(long) ;;").word == "declined")
        #expect(try ask(.secret, "GETPIN) echo 'D a%2'; echo OK ;;").word == "declined")
        #expect(try ask(.secret, "GETPIN) echo 'ERR 83886179 cancelled' ;;").word == "declined")
    }

    @Test("It gets three descriptors, the few variables of a session, a session of its own, and the root directory")
    func surroundings() throws {
        let look = """
            CONFIRM) ls /proc/$$/fd >"$log.fd"; env | sort >>"$log"
              pwd >>"$log"; cut -d' ' -f6 /proc/$$/stat >>"$log"; echo $$ >>"$log"; echo OK ;;
            """
        let test = try TestPrompter(look)
        let session = [
            "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-1", "XAUTHORITY": "/x", "GPG_TTY": "/dev/pts/3",
            "LD_PRELOAD": "/evil.so", "QT_PLUGIN_PATH": "/evil", "GTK_MODULES": "evil", "SSH_AUTH_SOCK": "/s",
        ]
        let prompter = Prompter(
            path: test.path, isTrusted: { _ in true }, surroundings: { PromptSurroundings(session: session) })
        let withdrawal = try #require(Withdrawal())
        let outcome = prompter.ask(.question, withinMilliseconds: Self.limit, withdrawal: withdrawal)
        #expect(outcome.word == "confirmed")
        let lines = try #require(test.lines.split(separator: "CONFIRM", maxSplits: 1).last.map(Array.init))
        // The shell has the script open besides, and its own output while that is the file's.
        let listed = try String(contentsOfFile: "\(test.log).fd", encoding: .utf8)
        let descriptors = listed.split(separator: "\n").compactMap { Int($0) }.sorted()
        #expect(descriptors.filter { $0 < 10 } == [0, 1, 2])
        #expect(descriptors.count <= 5)
        let variables = Set(lines.filter { $0.contains("=") }.map { String($0.prefix { $0 != "=" }) })
        #expect(
            variables.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == [
                "PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            ])
        #expect(lines.suffix(3).first == "/")
        #expect(lines.dropLast().last == lines.last, "the session's number is the process's own")
    }

    @Test("Taken back, it is gone with all that it started, and says nothing any more")
    func withdrawn() throws {
        let test = try TestPrompter("CONFIRM) sleep 1000 & echo $! >\"$log.child\"; echo $$ >>\"$log\"; wait ;;")
        let withdrawal = try #require(Withdrawal())
        let prompter = test.prompter
        let asking = AskingThread(prompter, .question, withinMilliseconds: Self.limit, withdrawal)
        try test.awaitLine("CONFIRM")
        let deadline = Date(timeIntervalSinceNow: 30)
        var child: pid_t?
        while child == nil, Date() < deadline {
            child = (try? String(contentsOfFile: "\(test.log).child", encoding: .utf8)).flatMap {
                pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            usleep(2000)
        }
        withdrawal.withdraw()
        #expect(asking.word() == "withdrawn")
        let sleeper = try #require(child)
        while Date() < deadline, Self.runs(sleeper) { usleep(2000) }
        #expect(!Self.runs(sleeper))
        #expect(withdrawal.isWithdrawn)
        #expect(prompter.ask(.question, withinMilliseconds: Self.limit, withdrawal: withdrawal).word == "withdrawn")
    }

    @Test("Without a display, without a program, or with one that is not root's alone nobody is asked")
    func unavailable() throws {
        let test = try TestPrompter("")
        let withdrawal = try #require(Withdrawal())
        func word(_ path: String?, trusts: Bool, _ session: [String: String]) -> String {
            Prompter(path: path, isTrusted: { _ in trusts }, surroundings: { PromptSurroundings(session: session) })
                .ask(.question, withinMilliseconds: Self.limit, withdrawal: withdrawal).word
        }
        #expect(word(test.path, trusts: true, [:]) == "unavailable")
        #expect(word(test.path, trusts: false, ["DISPLAY": ":7"]) == "unavailable")
        #expect(word(nil, trusts: false, ["DISPLAY": ":7"]) == "unavailable")
        #expect(word("prompter", trusts: true, ["DISPLAY": ":7"]) == "unavailable")
        #expect(word("\(test.folder)/missing", trusts: true, ["DISPLAY": ":7"]) == "unavailable")
        #expect(test.lines.isEmpty)
    }

    /// Whether a process runs: a zombie does not.
    private static func runs(_ process: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return status.split(separator: ")").last?.split(separator: " ").first != "Z"
    }
}
