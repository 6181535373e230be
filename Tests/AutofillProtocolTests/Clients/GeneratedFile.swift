// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A file of a client library that is generated from the declarations of AutofillProtocol.
struct GeneratedFile {
    private static let root = #filePath.replacing("Tests/AutofillProtocolTests/Clients/GeneratedFile.swift", with: "")
    private static let writes = ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1"
    static let header = [
        "SPDX-License-Identifier: Apache-2.0",
        "Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.",
    ]

    /// Its path in the source tree.
    let path: String
    let text: String

    /// Compares the file with the tree, or writes it and fails.
    func check() throws {
        let path = Self.root + path
        let found = try? String(contentsOfFile: path, encoding: .utf8)
        if Self.writes, found != text {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record("\(path) was rewritten; run again without AUTOFILL_UPDATE_DOCS")
        } else {
            #expect(found == text, "\(path) differs from the declarations")
        }
    }

    /// The names of the files in a folder of the tree.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + folder).sorted()
    }
}

extension String {
    /// The words in lines of at most `width` characters, each line with a prefix.
    func wrapped(_ prefix: String, width: Int = 116) -> String {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + word.count < width - prefix.count {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { prefix + $0 }.joined(separator: "\n")
    }

    func indented(by prefix: String = "    ") -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : prefix + $0 }
            .joined(separator: "\n")
    }

    /// `ifVersion` from `if-version`.
    var camelCase: String {
        let words = split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    /// `if_version` from `ifVersion`, `credential_get` from `credential.get`.
    var snakeCase: String {
        replacing(".", with: "_").replacing(#/([a-z])([A-Z]+)/#) { "\($0.1)_\($0.2.lowercased())" }
    }
}
