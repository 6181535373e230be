// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillPolicy
import AutofillProtocol
import Foundation
import Settings
import Testing

@Suite("The tables of protocol.md")
struct TableTests {
    @Test("Each table between marks is what the code says (AUTOFILL_UPDATE_DOCS=1 writes it, and fails)")
    func tables() throws {
        var document = try ProtocolDocument.load()
        #expect(document.tableNames.sorted() == GeneratedTable.all.map(\.name).sorted())
        let old = document.text
        for table in GeneratedTable.all {
            let written = try #require(document.table(table.name), "no marks for \(table.name)")
            if ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1" {
                document.replaceTable(table.name, with: table.lines)
            } else {
                for (line, expected) in zip(written, table.lines) { #expect(line == expected) }
                #expect(written.count == table.lines.count, "\(table.name)")
            }
        }
        if document.text != old {
            try document.text.write(toFile: ProtocolDocument.path, atomically: true, encoding: .utf8)
            Issue.record("protocol.md was rewritten; run again without AUTOFILL_UPDATE_DOCS")
        }
        #expect(!document.text.contains("| ? |"), "a limit has no meaning in GeneratedTable+Numbers.swift")
    }

    @Test("The access table has each method once, in the order of the sections")
    func methods() throws {
        let headings = try ProtocolDocument.load().section("## Methods").filter { $0.hasPrefix("### ") }
        #expect(headings == Method.allCases.map { "### \($0.rawValue)" })
    }

    @Test("The numbers in the sentences are those of the code")
    func prose() throws {
        let prose = try ProtocolDocument.load().prose
        for sentence in [
            "at most \(Limits.depth) levels of arrays and objects", "below \(Limits.lineBytes / 1024) KiB",
            "string of 1 to \(Limits.idBytes) bytes",
            "`limit` (1 to \(Limits.listLimit); \(Limits.listDefault) where it is absent)",
            "peers that do not read for \(Limits.stoppingMilliseconds) ms",
            "without a finished `hello` after \(Limits.helloMilliseconds / 1000) s",
            "At most \(Limits.pendingOffersPerService) are pending for an app and service, and "
                + "\(GeneratedTable.grouped(Limits.pendingOffers)) in all",
            "`id` | string, 1–\(Limits.fieldIDBytes) bytes",
            "`user` | string, 1–\(GeneratedTable.grouped(Limits.userBytes)) bytes",
            "`password` | string, 1–\(GeneratedTable.grouped(Limits.passwordBytes)) bytes",
            "\(GeneratedTable.grouped(4 * Limits.rulesScalars)) bytes, "
                + "\(GeneratedTable.grouped(Limits.rulesScalars)) characters at most",
            "[fields](#forms-and-offers), \(Limits.formFields) at most",
            "string, \(Limits.passphraseMinimumBytes)–\(GeneratedTable.grouped(Limits.passphraseBytes)) bytes",
            "`{\"base64\": …}`, \(Limits.keyBytes) bytes",
            "array of strings, \(Registration.executableLimit) at most",
            "array of strings, \(AppEntitlements.limit) at most", "\(BundleIdentifier.limit) bytes at most",
            "it may list \(GeneratedTable.grouped(SiteAssociation.appLimit)) apps for Linux",
            "\(Limits.associationBytes / 1024) KiB a file and \(Limits.associationMilliseconds / 1000) s in all",
            "waits \(Limits.associationWaitMilliseconds / 1000) s at most",
            "after about \(Limits.associationRetryMilliseconds.lowerBound / 60_000) minutes",
            "1 to \(AppName.limit) visible characters", "\(DomainName.limit) bytes at most",
        ] {
            #expect(prose.contains(sentence), "\(sentence)")
        }
        #expect(Limits.associationSeconds == 3600...7 * 86_400, "between an hour and seven days")
        #expect(Limits.associationDefaultSeconds == 86_400, "a day where it says nothing")
        #expect(DaemonSettings().offerLifetimeMinutes == 24 * 60, "a day where nothing is set")
    }

    @Test("Every link inside the page leads to a heading of it")
    func links() throws {
        let document = try ProtocolDocument.load()
        let anchors = Set(
            document.lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
        for match in document.text.matches(of: #/\]\(#([^)]*)\)/#) {
            #expect(anchors.contains(String(match.1)), "#\(match.1)")
        }
    }
}
