// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Reasons
import Testing

/// The lists of protocol.md that are not generated, compared with the sources.
@Suite("The lists of protocol.md")
struct ListTests {
    private static let root = URL(filePath: ProtocolDocument.path).deletingLastPathComponent()

    private static func sources(below folder: String) throws -> [String] {
        let folder = root.appending(path: folder)
        let files = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        return try #require(files).map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    @Test("Every message of the journal is in its table")
    func messages() throws {
        let rows = try ProtocolDocument.load().section("## The journal").filter { $0.hasPrefix("| `[AutoFill] ") }
        let table = rows.joined(separator: "\n")
        var messages: Set<String> = []
        for folder in ["Sources/Reasons", "Sources/AutofillService", "Sources/AutofillMethods", "Sources/autofilld"] {
            for source in try Self.sources(below: folder) {
                // Up to the first colon or thing that is put in.
                for match in source.matches(of: #/"(\[AutoFill\] [^":\\]*)/#) {
                    messages.insert(match.1.trimmingCharacters(in: .whitespaces))
                }
            }
        }
        #expect(messages.count > 8)
        for message in messages { #expect(table.contains("`\(message)"), "\(message)") }
        for object in ["a strong password", "what is saved"] {
            #expect(table.contains("`[AutoFill] Filled \(object) for app bundleID: BUNDLE-ID`"))
        }
    }

    @Test("Every parameter of a reason is named, in the order of the code")
    func parameters() throws {
        let names = Refusal.Parameter.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        #expect(try ProtocolDocument.load().prose.contains("The names in message and fix: \(names). |"))
    }

    @Test("admin.limit.list has every limit but those in sentences")
    func limits() throws {
        let path = Self.root.appending(path: "Sources/AutofillProtocol/Limits.swift")
        let declared = try String(contentsOf: path, encoding: .utf8)
            .matches(of: #/\n    package static let (\w+) =/#).map { String($0.1) }
        let inSentences = [
            "protocolVersions", "associationSeconds", "associationDefaultSeconds", "associationRetryMilliseconds",
        ]
        #expect(Set(declared) == Set(Limits.listed.map { "\($0.name)" } + inSentences))
    }

    @Test("Every number that no client gets is in a table, and the service's limits are nowhere else")
    func ownLimits() throws {
        let sources = Self.root.appending(path: "Sources")
        func text(_ path: String) throws -> String {
            try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        }
        let own = try text("AutofillProtocol/OwnLimit.swift")
        let tables = try own + text("AutofillProtocol/AppQuota.swift")
        let declared = own.matches(of: #/\n    package static let (\w+) = [\d<]/#).map { String($0.1) }
        #expect(declared.count > 30)
        for name in declared { #expect(tables.contains("Limits.\(name)"), "\(name)") }
        for module in ["AutofillServer", "AutofillService", "AutofillMethods", "AssociationFetch"] {
            let folder = sources.appending(path: module)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let found = text.firstMatch(of: #/\(limit: \d+\)|[lL]imit = \d|[mM]ost = \d/#)
                #expect(found == nil, "\(file.lastPathComponent)")
            }
        }
        let rules = try text("PasswordRules/PasswordRulesLimits.swift")
        let limit = try #require(rules.firstMatch(of: #/ table\w+ = ([\d_]+)/#)).1.filter { $0 != "_" }
        #expect(Int(limit).map { 8 * $0 } == Limits.rulesTableBytes, "PasswordRules has no module below it")
    }
}
