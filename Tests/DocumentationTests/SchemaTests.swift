// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Reasons
import Support
import Testing

@Suite("The protocol as a schema")
struct SchemaTests {
    /// The names in the first column of a table of a section, and those whose rows have "Needed.".
    private static func table(_ heading: String, of method: Method) throws -> (names: [String], needed: [String]) {
        let section = try ProtocolDocument.load().section("### \(method.rawValue)")
        guard let start = section.firstIndex(where: { $0.hasPrefix("| \(heading) |") }) else { return ([], []) }
        var names: [String] = []
        var needed: [String] = []
        for row in section[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = row.split(separator: "|")
            let here = cells[0].matches(of: #/`([\w-]+)`/#).map { String($0.1) }
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
            #expect(Set(members.map(\.name)) == Set(names), "\(description.method.rawValue)")
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
            #expect(members == Set(names).subtracting(["warnings"]), "\(description.method.rawValue)")
        }
    }

    @Test("The document has each declared member, and none that is not declared")
    func members() throws {
        let document = try SchemaDocument()
        for description in OpenRPC.methods {
            let method = try #require(document.method(description.method.rawValue))
            #expect(method["summary"] as? String == "\(description.declaration.summary)")
            let parameters = try #require(method["params"] as? [[String: Any]])
            #expect(parameters.map { $0["name"] as? String } == description.parameters.members.map(\.name))
            #expect(parameters.map { $0["required"] as? Bool } == description.parameters.members.map(\.isRequired))
            let result = try #require((method["result"] as? [String: Any])?["schema"] as? [String: Any])
            Self.compare(result, description.result.members.map(\.name) + ["warnings"], description.method.rawValue)
        }
        let components = OpenRPC.components()
        #expect(Set(document.schemas.keys) == Set(components.keys))
        for (name, component) in components {
            Self.compare(document.schemas[name] ?? [:], component.members.map(\.name), name)
            let required = component.members.filter { $0.presence != .optional }.map(\.name)
            #expect(document.schemas[name]?["required"] as? [String] ?? [] == required, "\(name)")
        }
        let kinds = EventNotice.Kind.allCases.map { "event.\($0.rawValue)" }
        #expect(Set(kinds).isSubset(of: components.keys))
    }

    private static func compare(_ schema: [String: Any], _ names: [String], _ name: String) {
        let properties = schema["properties"] as? [String: Any] ?? [:]
        #expect(Set(properties.keys) == Set(names) && names.count == properties.count, "\(name)")
    }

    @Test("Every object has one name, every reference leads somewhere, and every member has a sentence")
    func references() throws {
        let document = try SchemaDocument()
        let targets = Set(
            document.schemas.keys.map { "#/components/schemas/\($0)" }
                + document.errors.keys.map { "#/components/errors/\($0)" })
        #expect(document.references.subtracting(targets) == [])
        #expect(document.references.count > 40)
        for object in OpenRPC.components().values + OpenRPC.methods.flatMap({ [$0.parameters, $0.result] }) {
            for member in object.members {
                #expect(
                    member.sentence.count > 4 && member.sentence.hasSuffix("."), "\(object.name ?? "").\(member.name)")
            }
        }
    }

    @Test("Every set of values in an answer or an event is open")
    func openSets() {
        var closed: [String] = []
        func collect(_ members: [MemberSchema], _ path: String) {
            for member in members { collect(member.type, "\(path).\(member.name)") }
        }
        func collect(_ type: ValueSchema, _ path: String) {
            switch type {
            case .choice: closed.append(path)
            case .object(let object): collect(object.members, path)
            case .array(let element, _), .map(let element, _): collect(element, path)
            case .any(let types, _): for type in types { collect(type, path) }
            default: break
            }
        }
        for description in OpenRPC.methods { collect(description.result.members, description.method.rawValue) }
        for event in OpenRPC.events { collect(event.members, event.name ?? "") }
        #expect(closed.isEmpty)
        collect([MemberSchema("style", .choice(["random"]), .needed, "A closed set.")], "")
        #expect(closed == [".style"])
    }

    @Test("The choices of the schema are those of the code that sends them")
    func choices() {
        #expect(Words.audiences.allSatisfy { Reason.Audience(rawValue: $0) != nil })
        #expect(Words.retries.allSatisfy { Reason.Retry(rawValue: $0) != nil })
    }

    @Test("Every example of protocol.md matches the schema")
    func examples() throws {
        let document = try SchemaDocument(ofExamples: true)
        var checked = 0
        for transcript in Transcript.all(in: try ProtocolDocument.load().text) {
            var calls: [String: (method: String, params: Any)] = [:]
            for step in transcript.steps {
                switch step {
                case .send(let line):
                    guard let request = SchemaDocument.object(line), let method = request["method"] as? String else {
                        continue
                    }
                    calls["\(request["id"] ?? "")"] = (method, request["params"] ?? [String: Any]())
                case .expect(let line):
                    guard let answer = SchemaDocument.object(line) else { continue }
                    let problems: [String]
                    if let error = answer["error"] as? [String: Any] {
                        problems = document.problems(of: error["data"] ?? [:], named: "RefusalReport")
                    } else if answer["method"] as? String == "event" {
                        let event = answer["params"] as? [String: Any] ?? [:]
                        problems = document.problems(of: event, named: "event.\(event["type"] ?? "")")
                    } else if let call = calls["\(answer["id"] ?? "")"], let result = answer["result"] {
                        // What is unknown on purpose is named in the answer's warnings.
                        let isStrange = (result as? [String: Any])?["warnings"] != nil
                        problems =
                            (isStrange ? [] : document.problems(ofParameters: call.params, of: call.method))
                            + document.problems(ofResult: result, of: call.method)
                    } else {
                        continue
                    }
                    #expect(problems.isEmpty, "\(transcript): \(line)")
                    checked += 1
                }
            }
        }
        #expect(checked > 150)
    }

    @Test("What does not match the schema is detected")
    func canFail() throws {
        let document = try SchemaDocument()
        let service: [String: Any] = ["type": "domain", "value": "shop.example.com"]
        #expect(document.problems(ofParameters: ["service": service], of: "credential.get").isEmpty)
        for wrong: [String: Any] in [
            [:], ["service": "x"], ["service": ["type": "domain"]], ["service": service, "user": 1],
            ["service": service, "user": String(repeating: "é", count: 600)], ["service": service, "other": 1],
            ["service": service, "interaction": "maybe"],
            ["service": service, "proof": ["type": "key", "key": ["base64": 1]]],
            ["service": service, "proof": ["type": "passphrase", "key": ["base64": "AAAA"]]],
        ] {
            #expect(!document.problems(ofParameters: wrong, of: "credential.get").isEmpty, "\(wrong)")
        }
        #expect(!document.problems(ofResult: ["changed": "no"], of: "admin.vault.lock").isEmpty)
        #expect(!document.problems(ofResult: [String: Any](), of: "admin.vault.lock").isEmpty)
    }
}
