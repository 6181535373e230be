// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Testing

@Suite("The protocol as a schema")
struct SchemaTests {
    /// The names in the first column of a table of a section, and the rows that say "Needed.".
    private static func table(_ heading: String, of method: Method) throws -> (names: [String], needed: [String]) {
        let section = try ProtocolDocument.load().section("### \(method.rawValue)")
        guard let start = section.firstIndex(where: { $0.hasPrefix("| \(heading) |") }) else { return ([], []) }
        var names: [String] = []
        var needed: [String] = []
        for row in section[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = row.split(separator: "|")
            let here = cells[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
            names += here
            if cells.dropFirst(2).joined().contains("Needed.") { needed += here }
        }
        return (names, needed)
    }

    @Test("It has every method once, in the order of the code")
    func methods() {
        #expect(OpenRPC.methods.map(\.method) == Method.allCases)
    }

    @Test("Its parameters are those of protocol.md, and so are those that are needed")
    func parameters() throws {
        for description in OpenRPC.methods {
            let (names, needed) = try Self.table("parameter", of: description.method)
            let members = description.parameters.members
            let reserved: Set<String> = description.method == .hello ? ["onBehalfOf"] : []
            #expect(
                Set(members.map(\.name)) == Set(names).subtracting(reserved), "\(description.method.rawValue)")
            let required = Set(members.filter(\.isRequired).map(\.name))
            #expect(required.isSubset(of: needed), "\(description.method.rawValue): \(required) \(needed)")
        }
    }

    @Test("Its results are those of protocol.md, where a section has a table of them")
    func results() throws {
        for description in OpenRPC.methods {
            let (names, _) = try Self.table("result", of: description.method)
            guard !names.isEmpty else { continue }
            let members = Set(description.result.members.map(\.name))
            // What a client of ours has no use for is read by none of its types.
            #expect(members.isSubset(of: names), "\(description.method.rawValue): \(members) \(names)")
            #expect(!members.isEmpty, "\(description.method.rawValue)")
        }
    }

    @Test("The document is JSON, in OpenRPC's form")
    func document() throws {
        let object = try JSONSerialization.jsonObject(with: Data(OpenRPC.document.utf8)) as? [String: Any]
        #expect(object?["openrpc"] as? String == "1.3.2")
        let methods = try #require(object?["methods"] as? [[String: Any]])
        #expect(methods.count == Method.allCases.count)
        let suggest = try #require(methods.first { $0["name"] as? String == "autofill.suggest" })
        let parameters = try #require(suggest["params"] as? [[String: Any]])
        let fields = try #require(parameters.first { $0["name"] as? String == "fields" })
        let service = try #require(parameters.first { $0["name"] as? String == "service" })
        #expect(service["required"] as? Bool == true && fields["required"] as? Bool == false)
        let items = (fields["schema"] as? [String: Any])?["items"] as? [String: Any]
        #expect((items?["properties"] as? [String: Any])?["passwordRules"] != nil)
        #expect(items?["required"] as? [String] == ["id"])
        let components = object?["components"] as? [String: Any]
        let schemas = components?["schemas"] as? [String: Any]
        #expect(schemas?["suggestion.oneTimeCode"] != nil && schemas?["event.vaultUnlocked"] != nil)
    }
}
