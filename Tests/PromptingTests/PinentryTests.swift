// SPDX-License-Identifier: Apache-2.0
import Foundation
import Prompting
import Support
import TestGround
import Testing

/// The real programs, on a pseudo-terminal that is the test's and not the asking program's.
@Suite("A real pinentry on a terminal", .serialized, .blocking)
struct PinentryTests {
    private func ask(
        _ program: PinentryProgram, _ prompt: Prompt, ready: String, keys: String
    ) throws -> (word: String, screen: String) {
        let terminal = try PseudoTerminal()
        let surroundings = PromptSurroundings(
            session: ["LANG": "C.UTF-8"], terminal: .init(path: terminal.name, type: "xterm"))
        let prompter = Prompter(path: program.rawValue, isTrusted: { _ in true }, surroundings: { surroundings })
        let withdrawal = try #require(Withdrawal())
        let asking = AskingThread(prompter, prompt, withinMilliseconds: 60_000, withdrawal)
        let screen = try terminal.read(until: ready)
        try terminal.type(keys)
        return (asking.word(), screen)
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
        "Forged lines and markup stand escaped on the screen",
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
        let terminal = try PseudoTerminal()
        let surroundings = PromptSurroundings(
            session: ["LANG": "C.UTF-8"], terminal: .init(path: terminal.name, type: "xterm"))
        let prompter = Prompter(path: program.rawValue, isTrusted: { _ in true }, surroundings: { surroundings })
        let withdrawal = try #require(Withdrawal())
        let outcome = prompter.ask(.question, withinMilliseconds: 2000, withdrawal: withdrawal)
        #expect(["timed out", "declined"].contains(outcome.word))
    }
}
