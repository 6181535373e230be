// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import AutofillCommands

@Suite("Tables and lines fit the terminal")
struct TableTests {
    private var table: Table {
        var table = Table("APP", "DOMAIN")
        table.add("org.example.Shop", "shop.example.com")
        table.add("org.example.日本語", "x")
        return table
    }

    @Test("Without a terminal columns are as wide as they are, and nothing is cut")
    func unlimited() {
        #expect(
            table.lines(width: nil) == [
                "APP                 DOMAIN", "org.example.Shop    shop.example.com", "org.example.日本語  x",
            ])
    }

    @Test("On a terminal no line is wider than it", arguments: [20, 24, 30, 36, 80])
    func fitted(width: Int) {
        let lines = table.lines(width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect(width >= 36 || lines.contains { $0.contains("…") })
    }

    @Test("An id is never cut: if it does not fit it is printed on its own line", arguments: [20, 40, 60, 120])
    func ids(width: Int) {
        let id = "crd_005c12706a412ab528c587fbd2ef65ba"
        var table = Table("DOMAIN", "USER", "ID")
        table.add("shop.example.com", "jo@example.com", id)
        let lines = table.lines(width: width)
        #expect(lines.contains { $0.hasSuffix(id) })
        #expect(lines.count == (width >= 72 ? 2 : 3))
        #expect(lines.dropLast(width >= 72 ? 0 : 1).allSatisfy { $0.columns <= width })
    }

    @Test(
        "The record of releases keeps its times and reasons uncut at 80 columns: reason and program are printed below")
    func log() {
        var table = Table("TIME", "APP", "WHAT", "DOMAIN", "OUTCOME", "PROGRAM")
        table.add(
            "2026-11-21 09:30:00Z", "org.example.VeryLongName.Shop", "admin.grant.revoke", "shop.example.com",
            "refused: credential-not-found", "/usr/bin/example-shop (4711)")
        let lines = table.lines(width: 80)
        #expect(lines.count == 3 && lines.allSatisfy { $0.columns <= 80 }, "\(lines)")
        #expect(lines[1].hasPrefix("2026-11-21 09:30:00Z  org.example.") && lines[1].contains("…"))
        #expect(lines[2] == "  refused: credential-not-found  /usr/bin/example-shop (4711)")
        #expect(table.lines(width: 180).count == 2)
    }

    @Test(
        "A failure is wrapped under itself on a terminal, and one line for each element if there is none",
        arguments: [80, 120])
    func failures(width: Int) {
        let console = Console(isTerminal: true, hasColours: false, width: width)
        let failure = CommandFailure(
            .refused, String(repeating: "several terms ", count: 15) + "at last",
            fix: String(repeating: "one, ", count: 60))
        let lines = failure.lines(console, within: width)
        #expect(lines.count > 3 && lines.allSatisfy { $0.columns <= width })
        #expect(lines.first?.hasPrefix("autofillctl: several") == true)
        #expect(lines.contains { $0.hasPrefix("  Fix: one,") } && lines.last?.hasPrefix("       one") == true)
        #expect(failure.lines(console, within: nil).count == 2)
    }

    @Test("A label is cut before the arguments of other commands")
    func labels() {
        var table = Table("DOMAIN", "USER", "LABEL", "CHANGED")
        table.add("shop.example.com", "jo@example.com", String(repeating: "long ", count: 12), "2026-11-22 22:19Z")
        #expect(
            table.lines(width: 70) == [
                "DOMAIN            USER            LABEL              CHANGED",
                "shop.example.com  jo@example.com  long long long l…  2026-11-22 22:19Z",
            ])
        #expect(table.lines(width: 64)[1] == "shop.example.c…  jo@example.com  long long l…  2026-11-22 22:19Z")
    }

    @Test("Wide characters occupy two columns, combining marks none")
    func columns() {
        #expect("abc".columns == 3 && "日本".columns == 4 && "e\u{301}".columns == 1 && "😀".columns == 2)
    }

    @Test("What a terminal would act on is shown as an escape")
    func printable() {
        #expect("a\u{1B}[2Jb\nc\u{202E}d".printable == "a\\u{1B}[2Jb\\u{A}c\\u{202E}d")
    }

    @Test("Wrapping breaks at spaces, loses nothing else, and keeps to the width", arguments: [5, 10, 33, 80])
    func wrapping(width: Int) {
        let text = "Run: the command app register org.example.Shop.json and read the output"
        let lines = text.wrapped(toColumns: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test("Every exit status has its line in the help")
    func statuses() {
        #expect(ExitStatus.table.split(separator: "\n").count == ExitStatus.allCases.count)
        #expect(AutofillCommand.configuration.discussion.contains(ExitStatus.table))
    }
}
