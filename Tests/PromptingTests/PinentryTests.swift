// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Prompting
import TestGround
import Testing

/// The real programs, on a pseudo-terminal of the test that is not the requester's.
@Suite("A real pinentry on a terminal", .serialized, .blocking)
struct PinentryTests {
    private func ask(
        _ program: PinentryProgram, _ prompt: Prompt, ready: String, keys: String
    ) throws -> (word: String, screen: String) {
        let stage = try Stage()
        let terminal = try PseudoTerminal()
        let screen = try Screen(terminal, on: stage)
        let asking = stage.ask(prompt, by: program.rawValue, on: .terminal(terminal))
        _ = try stage.loop.run(until: { screen.text.contains(ready) }, patience: .seconds(60))
        try #require(screen.text.contains(ready), "\(ready) never appeared, but \(screen.text)")
        let shown = screen.text
        try terminal.type(keys)
        return (try stage.word(asking), shown)
    }

    @Test(
        "Yes is yes and no is no; on a screen with a default the default is no",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses"),
        arguments: PinentryProgram.installed)
    func confirm(_ program: PinentryProgram) throws {
        let yes = try ask(program, .question, ready: program.ready("Do not allow"), keys: program.yes("Allow"))
        #expect(yes.word == "confirmed")
        #expect(yes.screen.contains("May it?"))
        let no = try ask(program, .question, ready: program.ready("Do not allow"), keys: program.no("Do not allow"))
        #expect(no.word == "declined")
    }

    @Test(
        "All answers are in one prompt: a number is one of them, and nothing, or what is no number, is not now",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses"),
        arguments: PinentryProgram.installed)
    func answers(_ program: PinentryProgram) throws {
        let ready = program == .tty ? "Number:" : "Not now>"
        for (keys, word) in [
            ("1\r", "answered once"), ("2\r", "answered login"), ("3\r", "answered allow"), ("4\r", "answered never"),
            ("\r", "declined"), ("5\r3\r", "answered allow"), ("0\r12\rx\r", "declined"),
        ]
        // pinentry-tty discards what was typed before it asks again.
        where program == .curses || keys.count <= 2 {
            let (given, screen) = try ask(program, .choice, ready: ready, keys: keys)
            #expect(given == word, "\(keys.debugDescription)")
            for line in ["May it?", "1  This time", "2  Until logout", "3  Always", "4  Never"] {
                #expect(screen.contains(line), "\(screen)")
            }
        }
    }

    @Test(
        "A passphrase arrives byte for byte, after an error that it shows",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses"),
        arguments: PinentryProgram.installed)
    func passphrase(_ program: PinentryProgram) throws {
        let ready = program == .tty ? "Passphrase:" : "Cancel>"
        let (word, screen) = try ask(program, .secret, ready: ready, keys: "cörrect% horse\r")
        #expect(word == "passphrase cörrect% horse")
        #expect(screen.contains("Wrong."))
        #expect(!screen.contains("horse"))
    }

    @Test(
        "Forged lines and markup are escaped on the screen",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses"),
        arguments: PinentryProgram.installed)
    func forged(_ program: PinentryProgram) throws {
        let name = PromptText.shown("Shop</b>\nIdentity: installed", limit: 64)
        let prompt = Prompt(
            title: "t", description: "\(name) asks.\nIdentity: claimed",
            kind: .confirm(yes: "Allow", no: "Do not allow"))
        let (word, screen) = try ask(
            program, prompt, ready: program.ready("Do not allow"), keys: program.no("Do not allow"))
        #expect(word == "declined")
        #expect(screen.contains(#"Shop\u{3c}/b\u{3e}\u{a}Identity: installed asks."#))
    }

    @Test(
        "Left alone, its time runs out, and that is no yes",
        .enabled(if: !PinentryProgram.installed.isEmpty, "needs pinentry-tty or pinentry-curses"),
        arguments: PinentryProgram.installed)
    func timeOut(_ program: PinentryProgram) throws {
        let stage = try Stage()
        let terminal = try PseudoTerminal()
        let asking = stage.ask(
            .question, by: program.rawValue, on: .terminal(terminal), within: .seconds(2))
        #expect(["timed out", "declined"].contains(try stage.word(asking)))
    }

    @Test("No prompt is shown on a terminal that is none, or was closed") func noTerminal() throws {
        let test = try TestPrompter("")
        let stage = try Stage()
        for path in ["/dev/pts/999999", test.folder] {
            let environment = PromptEnvironment(session: [:], terminal: .init(path: path, type: "xterm"))
            #expect(try stage.word(stage.ask(.question, by: test.path, on: environment)) == "unavailable")
        }
        #expect(test.lines.isEmpty)
    }
}

/// The output of a program on a terminal, as it arrives.
private final class Screen {
    private(set) var text = ""
    private var shown: [UInt8] = []
    private var source: IOSource?

    init(_ terminal: PseudoTerminal, on stage: Stage) throws {
        source = try IOSource(on: stage.loop, descriptor: terminal.screen, events: .readable) { [unowned self] _ in
            shown += terminal.take()
            text = String(decoding: shown, as: UTF8.self)
        }
    }
}

extension PromptEnvironment {
    fileprivate static func terminal(_ terminal: PseudoTerminal) -> PromptEnvironment {
        PromptEnvironment(session: ["LANG": "C.UTF-8"], terminal: .init(path: terminal.name, type: "xterm"))
    }
}
