// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import Foundation
import Prompting
import Support
import TestGround
import Testing

@Suite("The manual pages", .serialized, .blocking)
struct ManualTests {
    private static let folder = URL(filePath: ProtocolDocument.path).deletingLastPathComponent()
        .appending(path: "systemd/man")

    private static func path(_ page: String) -> String { folder.appending(path: page).path(percentEncoded: false) }

    @Test(
        "Each generated section of a page is current (AUTOFILL_UPDATE_DOCS=1 writes it, and fails)",
        arguments: [
            ("autofilld-settings.5", "settings"), ("autofilld-registration.5", "members"),
            ("autofilld-protocol.7", "methods"), ("autofilld-protocol.7", "reasons"),
            ("autofilld-admin.7", "administration"), ("autofilld-admin.7", "limits"),
        ])
    func generated(page: String, section: String) throws {
        let expected = try GeneratedManual.lines(section)
        let lines = try String(contentsOfFile: Self.path(page), encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: #".\" generated: \#(section)"#)) + 1
        let end = try #require(lines[start...].firstIndex(of: #".\" end"#))
        if Array(lines[start..<end]) == expected { return }
        guard ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1" else {
            for (line, wanted) in zip(lines[start..<end], expected) { #expect(line == wanted) }
            #expect(end - start == expected.count, "\(page), \(section)")
            return
        }
        let updated = Array(lines[..<start]) + expected + Array(lines[end...])
        try updated.joined(separator: "\n").write(toFile: Self.path(page), atomically: true, encoding: .utf8)
        Issue.record("\(page) was rewritten; run again without AUTOFILL_UPDATE_DOCS")
    }

    @Test("autofilld(8) has every option of the program, and no other")
    func options() throws {
        let page = try String(contentsOfFile: Self.path("autofilld.8"), encoding: .utf8)
        func names(_ text: String) -> Set<String> {
            Set(text.replacing(#"\-"#, with: "-").matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        }
        func section(_ title: String) throws -> String {
            try #require(
                page.components(separatedBy: ".SH \(title)\n").last?.components(separatedBy: "\n.SH ").first)
        }
        let help = try Self.output(try DaemonProcess.program("autofilld"), "--help")
        let options = try #require(help.components(separatedBy: "OPTIONS:").last)
        #expect(try names(section("OPTIONS")) == names(options))
        // Those that a line begins with; the texts name others, of other programs too.
        let own = Set(options.matches(of: /\n  (--[a-z][a-z-]+)/).map { String($0.1) })
        #expect(try names(section("SYNOPSIS")) == own.subtracting(["--version"]))
    }

    @Test("autofilld(8) names the ends after which the unit does not start it again")
    func restarts() throws {
        let page = try String(contentsOfFile: Self.path("autofilld.8"), encoding: .utf8)
        let unit = try String(contentsOfFile: Self.path("../autofilld.service"), encoding: .utf8)
        let kept = try #require(unit.firstMatch(of: /\nRestartPreventExitStatus=(\d+) (\d+) (\d+)\n/))
        #expect(page.contains("After \(kept.1), \(kept.2) and \(kept.3) systemd does not start it again"))
        let burst = try #require(unit.firstMatch(of: /\nStartLimitIntervalSec=(\d+)\nStartLimitBurst=(\d+)\n/))
        #expect(page.contains("up to \(burst.2) times in \(burst.1) seconds"))
    }

    @Test("The script of answers that autofilld(8) shows is one")
    func script() throws {
        let page = try String(contentsOfFile: Self.path("autofilld.8"), encoding: .utf8)
        let example = try #require(
            page.components(separatedBy: ".EX\n# BUNDLE-ID").last?.components(separatedBy: ".EE").first)
        var script = try ConsentScript("# BUNDLE-ID" + example)
        #expect(script.answer(app: "org.example.Shop", service: "shop.example.com") == .once)
        #expect(script.answer(app: "org.example.Shop", service: "shop.example.com") == .deny)
        #expect(script.answer(app: "org.example.Shop", service: "shop.example.com") == .allow)
        #expect(script.answer(app: "org.example.Shop", service: "shop.example.com") == .deny)
    }

    @Test("autofillctl(1), as the program writes it, has each command with its example, and each option")
    func commands() throws {
        let program = try DaemonProcess.program("autofillctl")
        let page = try Self.output(program, "manual").replacing(#"\-"#, with: "-")
        let help = try Self.output(program, "--help")
        // The commands of the overview: the lines of two spaces and a name.
        let names = help.split(separator: "\n").compactMap { $0.firstMatch(of: /^  ([a-z]+)  +[A-Z]/)?.1 }
        #expect(names.count > 8)
        for name in names { #expect(page.contains("\n.SS autofillctl \(name)"), "\(name)") }
        for option in ["--passphrase-fd", "--json", "--socket", "--reveal"] {
            #expect(page.contains(#"\fB\#(option)\fR"#), "\(option)")
        }
        let sections = page.components(separatedBy: "\n.SS ").dropFirst()
        for section in sections {
            #expect(section.contains(#/\n\.EX\n(?:[A-Z_]+=\S+ )?autofillctl /#), "\(section.prefix(40))")
        }
        #expect(page == (try Self.output(program, "manual")).replacing(#"\-"#, with: "-"))
    }

    @Test(
        "groff has no warning about any page",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "needs man-db"))
    func lint() throws {
        let own = FileManager.default.temporaryDirectory.appending(path: "autofillctl-\(UUID().uuidString).1")
        defer { try? FileManager.default.removeItem(at: own) }
        try Self.output(try DaemonProcess.program("autofillctl"), "manual")
            .write(to: own, atomically: false, encoding: .utf8)
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
        #expect(pages.count >= 4)
        for path in pages.map(Self.path) + [own.path(percentEncoded: false)] {
            let (text, warnings) = try Self.run("/usr/bin/man", "--warnings", "--local-file", path)
            #expect(text.contains("NAME") && warnings.isEmpty, "\(path): \(warnings)")
        }
    }

    @Test("No argument of a font macro or a heading contains a quote, and nothing adjoins the quotes around it")
    func quotedArguments() throws {
        let own = try Self.output(try DaemonProcess.program("autofillctl"), "manual")
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
        let texts = try pages.map { try String(contentsOfFile: Self.path($0), encoding: .utf8) } + [own]
        for line in texts.flatMap({ $0.split(separator: "\n") })
        where line.firstMatch(of: #/^\.(?:B|I|BI|BR|IB|IR|RB|RI|SB|SH|SM|SS|TH) /#) != nil {
            #expect(line.wholeMatch(of: #/\.[A-Z]+(?: +(?:"[^"]*"|[^" ]+))*/#) != nil, "\(line)")
        }
        #expect(Roff.argument(#"{"a": -1}"#) == #""{\(dqa\(dq: \-1}""#)
    }

    private static func output(_ program: String, _ argument: String) throws -> String {
        try run(program, argument).output
    }

    private static func run(_ program: String, _ arguments: String...) throws -> (output: String, errors: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": "",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let warnings = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: text, as: UTF8.self), String(decoding: warnings, as: UTF8.self))
    }
}
