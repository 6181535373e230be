// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillPolicy
import AutofillProtocol
import Foundation
import Settings
import Testing

@Suite("The tables of protocol.md")
struct TableTests {
    @Test("Each generated table is current (AUTOFILL_UPDATE_DOCS=1 writes it, and fails)")
    func tables() throws {
        #expect(try ProtocolDocument.load().tableNames.sorted() == GeneratedTable.all.map(\.name).sorted())
        for path in ProtocolDocument.paths {
            var document = try ProtocolDocument.load(path)
            let old = document.text
            for table in GeneratedTable.all {
                guard let written = document.table(table.name) else { continue }
                if ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1" {
                    document.replaceTable(table.name, with: table.lines)
                } else {
                    for (line, expected) in zip(written, table.lines) { #expect(line == expected) }
                    #expect(written.count == table.lines.count, "\(table.name)")
                }
            }
            if document.text != old {
                try document.text.write(toFile: path, atomically: true, encoding: .utf8)
                Issue.record("\(path) was rewritten; run again without AUTOFILL_UPDATE_DOCS")
            }
            #expect(!document.text.contains("| ? |"), "a limit has no meaning in GeneratedTable+Numbers.swift")
        }
    }

    @Test("Each method has its section, in the order of the code, in a page for those who call it")
    func methods() throws {
        var described: [Method] = []
        for page in ProtocolDocument.pages {
            let methods = try ProtocolDocument.load(ProtocolDocument.path(of: page.name)).lines
                .filter { $0.hasPrefix("### ") }.compactMap { Method(rawValue: String($0.dropFirst(4))) }
            #expect(methods == Method.allCases.filter { methods.contains($0) }, "\(page.name)")
            #expect(methods.allSatisfy { $0.audience == page.audience }, "\(page.name)")
            described += methods
        }
        #expect(described.map(\.rawValue).sorted() == Method.allCases.map(\.rawValue).sorted())
    }

    @Test("protocol.md is at most 120 KB, and its lists name no method that administers but in passing")
    func size() throws {
        let text = try ProtocolDocument.load(ProtocolDocument.path).text
        #expect(text.utf8.count <= 120_000)
        #expect(Method.allCases.count { $0.audience == .everyApp } <= 15)
        #expect(Method.allCases.allSatisfy { ($0.audience == .administration) == $0.rawValue.hasPrefix("admin.") })
    }

    @Test("The sections that a first client needs are in the first 15 KB of protocol.md")
    func start() throws {
        let text = try ProtocolDocument.load(ProtocolDocument.path).text
        let head = String(decoding: text.utf8.prefix(15_000), as: UTF8.self)
        for name in [
            "```python change", "## Reaching the daemon", "## Lines", "## Requests and answers", "**Interaction.**",
        ] {
            #expect(head.contains("\n\(name)"), "\(name)")
        }
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
            "`fields` | array, \(Limits.formFields) at most",
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
        #expect(Limits.associationDefaultSeconds == 86_400, "a day where it states nothing")
        #expect(DaemonSettings().offerLifetimeMinutes == 24 * 60, "a day where nothing is set")
    }

    @Test("Every link leads to a file, and every link to a heading to one, in the same page or in another")
    func links() throws {
        let anchors = try Dictionary(
            uniqueKeysWithValues: ProtocolDocument.paths.map { path in
                (URL(filePath: path).lastPathComponent, try ProtocolDocument.load(path).anchors)
            })
        for path in ProtocolDocument.paths {
            for match in try ProtocolDocument.load(path).text.matches(of: #/\]\(([^)#:]*)(?:#([^)]*))?\)/#) {
                let own = URL(filePath: path).lastPathComponent
                let name = match.1.isEmpty ? own : URL(filePath: String(match.1)).lastPathComponent
                if let heading = match.2 {
                    #expect(anchors[name]?.contains(String(heading)) == true, "\(own): \(match.0)")
                }
                let target = URL(filePath: path).deletingLastPathComponent().appending(path: String(match.1))
                #expect(FileManager.default.fileExists(atPath: target.path(percentEncoded: false)), "\(match.0)")
            }
        }
    }
}
