// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// The threat model, row by row, compared with the tests that show what happens.
@Suite("The threat model")
struct ThreatModelTests {
    /// The attacks that the page names, by adversary.
    private static func documented() throws -> [String: [String]] {
        let lines = try ProtocolDocument.load(ProtocolDocument.path(of: "Sources/Threat-model.md")).section(
            "## Attacks")
        var attacks: [String: [String]] = [:]
        var adversary = ""
        for line in lines {
            if line.hasPrefix("### ") { adversary = String(line.dropFirst(4)) }
            guard line.hasPrefix("| "), !line.hasPrefix("| attack |") else { continue }
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            attacks[adversary, default: []].append(cell.trimmingCharacters(in: .whitespaces))
        }
        return attacks
    }

    /// The names of all tests.
    private static func names() throws -> Set<String> {
        let folder = TestFiles.root + "Tests"
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var names: Set<String> = []
        for file in files where file.hasSuffix(".swift") && !file.contains("DocumentationTests/Threat") {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            for call in text.components(separatedBy: "@Test(").dropFirst() {
                let argument = call.drop(while: \.isWhitespace)
                if argument.hasPrefix("\"") { names.insert(String(argument.dropFirst().prefix { $0 != "\"" })) }
            }
        }
        return names
    }

    @Test("Each attack that it names has its tests, and each of these exists")
    func attacks() throws {
        let documented = try Self.documented()
        #expect(documented.count == 5)
        let shown = Threat.all
        for (adversary, attacks) in documented {
            #expect(shown.filter { $0.adversary == adversary }.map(\.attack) == attacks, "\(adversary)")
        }
        let names = try Self.names()
        for threat in shown {
            for test in threat.tests {
                let exists = names.contains(test)
                #expect(exists, "\(threat.attack): \(test)")
            }
        }
    }
}
