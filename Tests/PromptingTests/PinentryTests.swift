// SPDX-License-Identifier: Apache-2.0
import Foundation
import Prompting
import Testing

/// The real programs, on a pseudo-terminal that is the test's and not the asking program's.
@Suite("A real pinentry on a terminal")
struct PinentryTests {
    enum Program: String, CaseIterable, CustomTestStringConvertible {
        case tty = "/usr/bin/pinentry-tty"
        case curses = "/usr/bin/pinentry-curses"

        var testDescription: String { rawValue }
        static var installed: [Program] {
            allCases.filter { FileManager.default.isExecutableFile(atPath: $0.rawValue) }
        }

        /// What its screen shows when it waits for the person.
        var ready: String { self == .tty ? "]? " : "Do not allow>" }
        var yes: String { self == .tty ? "a" : "\t\r" }
        var no: String { self == .tty ? "d" : "\r" }
    }

    private func ask(
        _ program: Program, _ prompt: Prompt, ready: String, keys: String, limit: Int = 60_000
    ) throws -> (word: String, screen: String) {
        let terminal = try PseudoTerminal()
        let surroundings = PromptSurroundings(
            session: ["LANG": "C.UTF-8"], terminal: .init(path: terminal.name, type: "xterm"))
        let prompter = Prompter(path: program.rawValue, isTrusted: { _ in true }, surroundings: { surroundings })
        let withdrawal = try #require(Withdrawal())
        let asking = AskingThread(prompter, prompt, withinMilliseconds: limit, withdrawal)
        let screen = try terminal.read(until: ready)
        try terminal.type(keys)
        return (asking.word(), screen)
    }

    @Test(
        "Yes is yes and no is no; on a screen with a default the default is no",
        .enabled(if: !Program.installed.isEmpty, "needs pinentry-tty or pinentry-curses"), arguments: Program.installed)
    func confirm(_ program: Program) throws {
        let yes = try ask(program, .question, ready: program.ready, keys: program.yes)
        #expect(yes.word == "confirmed")
        #expect(yes.screen.contains("May it?"))
        let no = try ask(program, .question, ready: program.ready, keys: program.no)
        #expect(no.word == "declined")
    }

    @Test(
        "A passphrase arrives byte for byte, after an error that it shows",
        .enabled(if: !Program.installed.isEmpty, "needs pinentry-tty or pinentry-curses"), arguments: Program.installed)
    func passphrase(_ program: Program) throws {
        let ready = program == .tty ? "Passphrase:" : "Cancel>"
        let (word, screen) = try ask(program, .secret, ready: ready, keys: "cörrect% horse\r")
        #expect(word == "passphrase cörrect% horse")
        #expect(screen.contains("Wrong."))
        #expect(!screen.contains("horse"))
    }

    @Test(
        "Forged lines and markup stand escaped on the screen",
        .enabled(if: !Program.installed.isEmpty, "needs pinentry-tty or pinentry-curses"), arguments: Program.installed)
    func forged(_ program: Program) throws {
        let name = PromptText.shown("Shop</b>\nIdentity: installed", limit: 64)
        let prompt = Prompt(
            title: "t", description: "\(name) asks.\nIdentity: claimed",
            kind: .confirm(yes: "Allow", no: "Do not allow"))
        let (word, screen) = try ask(program, prompt, ready: program.ready, keys: program.no)
        #expect(word == "declined")
        #expect(screen.contains(#"Shop\u{3c}/b\u{3e}\u{a}Identity: installed asks."#))
    }

    @Test(
        "Left alone, its time runs out, and that is no yes",
        .enabled(if: !Program.installed.isEmpty, "needs pinentry-tty or pinentry-curses"), arguments: Program.installed)
    func timeOut(_ program: Program) throws {
        let (word, _) = try ask(program, .question, ready: program.ready, keys: "", limit: 2000)
        #expect(["timed out", "declined"].contains(word))
    }
}

/// A pseudo-terminal: what a program shows on it, and what the person types.
final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    let name: String

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var lock: Int32 = 0
        // ioctl_tty(2): what unlockpt(3) and ptsname(3) do, which Glibc's overlay lacks.
        try #require(
            master >= 0 && ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        name = "/dev/pts/\(number)"
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        try #require(slave >= 0 && ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// All that was shown until a text has appeared.
    func read(until text: String) throws -> String {
        var shown: [UInt8] = []
        while true {
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            try #require(poll(&waiting, 1, 30_000) == 1, "\(text) never appeared")
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(master, &chunk, chunk.count)
            try #require(count > 0)
            shown += chunk[..<count]
            let screen = String(decoding: shown, as: UTF8.self)
            if screen.contains(text) { return screen }
        }
    }

    func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        try #require(write(master, bytes, bytes.count) == bytes.count)
    }
}
