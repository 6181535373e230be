// SPDX-License-Identifier: Apache-2.0
import Prompting
import TestGround
import Testing

@Suite("A prompter's answers", .serialized, .blocking)
struct ScriptedPrompterTests {
    private func ask(
        _ prompt: Prompt, _ answers: String, greeting: String = "echo 'OK Pleased to meet you'",
        within limit: Duration = .seconds(60)
    ) throws -> (word: String, lines: [String]) {
        let test = try TestPrompter(answers, greeting: greeting)
        let stage = try Stage()
        return (try stage.word(stage.ask(prompt, by: test.path, within: limit)), test.lines)
    }

    @Test("It receives title, text, buttons, display and timeout; OK is yes")
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

    @Test("On a terminal the first button, which Return presses, is no")
    func terminal() throws {
        let flavour = "'GETINFO flavor') echo 'D gtk2:curses'; echo OK ;;"
        let (word, lines) = try ask(.question, flavour)
        #expect(word == "declined")
        #expect(lines.suffix(4) == ["SETOK Do not allow", "SETNOTOK Allow", "SETCANCEL Cancel", "CONFIRM"])
        let other = "\(flavour)\nCONFIRM) echo 'ERR 83886194 Not confirmed <Pinentry>' ;;"
        #expect(try ask(.question, other).word == "confirmed")
        let escape = "\(flavour)\nCONFIRM) echo 'ERR 83886179 Operation cancelled <Pinentry>' ;;"
        #expect(try ask(.question, escape).word == "declined")
    }

    @Test(
        "A window with three buttons shows another yes on the third; Escape is no",
        arguments: [
            ("gtk2", 83_886_194, "answered login"), ("qt", 83_886_194, "answered login"),
            ("gtk2", 83_886_179, "declined"), ("qt5", 83_886_179, "declined"),
        ])
    func alternative(flavour: String, error: Int, word: String) throws {
        let (given, lines) = try ask(
            .choice, "'GETINFO flavor') echo 'D \(flavour)'; echo OK ;;\nCONFIRM) echo 'ERR \(error) <Pinentry>' ;;")
        #expect(given == word)
        let buttons = ["SETOK Allow", "SETNOTOK Until logout", "SETCANCEL Do not allow"]
        #expect(lines.filter { $0.hasPrefix("SETO") || $0.hasPrefix("SETN") || $0.hasPrefix("SETC") } == buttons)
        #expect(!lines.contains { $0.contains("Always") }, "the list is a terminal's")
    }

    @Test("GNOME begins on the button that allows: an answer is the number that is typed, and Return alone is no")
    func gnome() throws {
        func ask(_ prompt: Prompt, typing typed: String) throws -> (word: String, lines: [String]) {
            let flavour = "'GETINFO flavor') echo 'D gnome3'; echo OK ;;"
            return try self.ask(prompt, "\(flavour)\nGETPIN) printf 'D \(typed)\\n'; echo OK ;;")
        }
        let (word, lines) = try ask(.question, typing: "1")
        #expect(word == "confirmed" && !lines.contains("CONFIRM"))
        #expect(lines.contains { $0.hasSuffix("%0A%0A1  Allow") })
        #expect(try ask(.question, typing: "").word == "declined")
        #expect(try ask(.question, typing: "2").word == "declined")
        #expect(try ask(.choice, typing: "2").word == "answered login")
        #expect(try ask(.choice, typing: "").word == "declined")
    }

    @Test("Where the list of answers does not fit, a terminal has the two buttons, and GNOME shows nothing")
    func longQuestion() throws {
        let long = Prompt(
            title: "t", description: String(repeating: "a", count: 950),
            kind: .confirm(yes: "Allow", no: "Do not allow"),
            answers: Prompt.choice.answers)
        #expect(try ask(long, "'GETINFO flavor') echo 'D gnome3'; echo OK ;;").word == "unavailable")
        let (word, lines) = try ask(long, "'GETINFO flavor') echo 'D tty'; echo OK ;;")
        #expect(word == "confirmed" && lines.suffix(3) == ["SETOK Allow", "SETCANCEL Do not allow", "CONFIRM"])
    }

    @Test("One that refuses the question, or for which it is too long, shows nothing")
    func noQuestion() throws {
        let refused = try ask(.question, "SETDESC*) echo 'ERR 83886340 Line too long' ;;")
        #expect(refused.word == "unavailable" && !refused.lines.contains("CONFIRM"))
        let long = Prompt(
            title: "t", description: String(repeating: "a", count: 1000) + "\nIdentity: none.",
            kind: .confirm(yes: "Allow", no: "Do not allow"))
        let (word, lines) = try ask(long, "")
        #expect(word == "unavailable" && !lines.contains { $0.hasPrefix("SETDESC") || $0 == "CONFIRM" })
    }

    @Test("One that ends before its greeting is not there")
    func noGreeting() throws {
        #expect(try ask(.question, "", greeting: "exit 0").word == "unavailable")
    }

    @Test("One that does not know an option or a setting still shows the prompt")
    func unknownCommands() throws {
        let answer = "OPTION*|SETTITLE*|SETTIMEOUT*|GETINFO*) echo 'ERR 83886254 Unknown option' ;;"
        #expect(try ask(.question, answer).word == "confirmed")
    }

    @Test(
        "A passphrase is received as its bytes, in any number of data lines",
        arguments: [
            ("D secret", "secret"), ("D p%25a%0Aé%e2%82%ac", "p%a\né€"), ("D one\nD two", "onetwo"),
            ("S PASSWORD_FROM_CACHE\nD x", "x"), ("# a comment", ""),
        ])
    func passphrase(sent: String, expected: String) throws {
        let lines = sent.split(separator: "\n").map { "printf '%s\\n' '\($0)'; " }.joined()
        let (word, received) = try ask(.secret, "GETPIN) \(lines) echo OK ;;")
        #expect(word == "passphrase \(expected)")
        #expect(
            received.suffix(5) == [
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

    @Test("It gets three descriptors, the few variables of a session, a session and the signals of a program's start")
    func environment() throws {
        let inspection = """
            CONFIRM) ls /proc/$$/fd >"$log.fd"; env >"$log.env"; grep -E 'Sig(Blk|Ign)' /proc/self/status >"$log.signals"
              pwd >"$log.directory"; cut -d' ' -f6 /proc/$$/stat >"$log.session"; echo $$ >>"$log.session"; echo OK ;;
            """
        let test = try TestPrompter(inspection)
        let session = [
            "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-1", "XAUTHORITY": "/x", "GPG_TTY": "/dev/pts/3",
            "LD_PRELOAD": "/evil.so", "QT_PLUGIN_PATH": "/evil", "GTK_MODULES": "evil", "SSH_AUTH_SOCK": "/s",
            "PYTHONSTARTUP": "/evil.py", "GIO_EXTRA_MODULES": "/evil", "HOME": "/home/evil", "PATH": "/home/evil/bin",
            "LANGUAGE": "../../../home/evil", "LANG": "de_DE.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/none;unixexec:path=/home/evil/bus",
        ]
        let stage = try Stage()
        let asking = stage.ask(.question, by: test.path, on: PromptEnvironment(session: session))
        #expect(try stage.word(asking) == "confirmed")
        // The shell has the script open besides, and its own output while that is the file's.
        let descriptors = test.numbers("fd").sorted()
        #expect(descriptors.filter { $0 < 10 } == [0, 1, 2])
        #expect(descriptors.count <= 5)
        let own = ["PWD=", "OLDPWD=", "SHLVL=", "_="]
        let variables = TestPrompter.lines("\(test.log).env").filter { line in !own.contains { line.hasPrefix($0) } }
        #expect(
            Set(variables) == [
                "PATH=/usr/bin:/bin", "HOME=/nonexistent", "DISPLAY=:7", "WAYLAND_DISPLAY=wayland-1", "XAUTHORITY=/x",
                "LANG=de_DE.UTF-8",
            ])
        #expect(TestPrompter.lines("\(test.log).directory") == ["/"])
        let numbers = test.numbers("session")
        #expect(numbers.count == 2 && numbers.first == numbers.last, "the session's number is the process's own")
        // Without the two that glibc keeps to itself, 32 and 33.
        let signals = TestPrompter.lines("\(test.log).signals").map { UInt64($0.suffix(16), radix: 16) }
        #expect(signals.map { $0.map { $0 & ~0x1_8000_0000 } } == [0, 0])
    }

    @Test(
        "The X server's secret remains at its default path without a variable, and a bus that is a socket is passed on")
    func kept() throws {
        let test = try TestPrompter(#"CONFIRM) env >"$log.env"; echo OK ;;"#)
        let session = ["DISPLAY": ":7", "HOME": "/home/ann", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1/bus"]
        let stage = try Stage()
        let asking = stage.ask(.question, by: test.path, on: PromptEnvironment(session: session))
        #expect(try stage.word(asking) == "confirmed")
        let variables = TestPrompter.lines("\(test.log).env")
        #expect(variables.contains("XAUTHORITY=/home/ann/.Xauthority"))
        #expect(variables.contains("DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1/bus"))
    }

    @Test("One that was not named is not started, though it be root's, nor one that a name leads to")
    func unlisted() throws {
        let test = try TestPrompter("")
        let path = test.path
        let stage = try Stage()
        #expect(try stage.word(stage.ask(.question, by: path, among: [])) == "unavailable")
        let other = "\(path)-other"
        #expect(try stage.word(stage.ask(.question, by: path, among: [path], end: { _ in other })) == "unavailable")
        for link in ["/usr/bin/pinentry", "/usr/bin/pinentry-x11"] {
            #expect(try stage.word(stage.ask(.question, by: link, end: { _ in path })) == "unavailable")
        }
        #expect(try stage.word(stage.ask(.question, by: nil, end: { _ in path })) == "unavailable")
        #expect(test.lines.isEmpty)
        #expect(try stage.word(stage.ask(.question, by: path, among: [path])) == "confirmed")
    }

    @Test("Without a display, without a program, or with one that other users can change no prompt is shown")
    func unavailable() throws {
        let test = try TestPrompter("")
        let stage = try Stage()
        func word(_ path: String?, trusts: Bool, _ session: [String: String]) throws -> String {
            try stage.word(
                stage.ask(
                    .question, by: path, on: PromptEnvironment(session: session), end: { trusts ? $0 : nil }))
        }
        #expect(try word(test.path, trusts: true, [:]) == "unavailable")
        #expect(try word(test.path, trusts: false, ["DISPLAY": ":7"]) == "unavailable")
        #expect(try word(nil, trusts: false, ["DISPLAY": ":7"]) == "unavailable")
        #expect(try word("prompter", trusts: true, ["DISPLAY": ":7"]) == "unavailable")
        #expect(try word("\(test.folder)/missing", trusts: true, ["DISPLAY": ":7"]) == "unavailable")
        #expect(test.lines.isEmpty)
    }
}
