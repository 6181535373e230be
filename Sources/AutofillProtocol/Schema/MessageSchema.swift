// SPDX-License-Identifier: Apache-2.0

/// The members of a message, found out by reading it: a sample grows by what the reader misses, until nothing that it can ask
/// for has been left unasked.
package struct MessageSchema {
    /// A member and what is below it.
    package struct Member {
        package let name: String
        let type: SchemaType
        package let isRequired: Bool
        package var members: [Member]
    }

    package let members: [Member]

    /// - Parameter given: members that the sample begins with, JSON each: what decides between kinds of a message.
    package init<Value: WireValue>(of _: Value.Type, given: [(name: String, json: String)] = []) {
        var sample = SchemaSample.object(given.map { ($0.name, .scalar($0.json)) })
        var found: [(path: String, expected: String, isRequired: Bool)] = []
        var tried: Set<String> = []
        // Each round adds a member to the sample; no message has as many.
        for _ in 0..<500 {
            let witness = SchemaWitness()
            let problem = Self.read(Value.self, sample.text, witness)
            for note in witness.notes {
                if let index = found.firstIndex(where: { $0.path == note.path }) {
                    found[index].isRequired = found[index].isRequired || note.isRequired
                } else {
                    found.append((note.path, note.expected, note.isRequired))
                }
            }
            if let problem {
                guard let path = problem.member else { break }
                if tried.insert(path).inserted {
                    let expected = found.first { $0.path == path }?.expected ?? problem.detail ?? ""
                    sample.set(path[...], to: .fitting(expected))
                } else if tried.insert("absolute path at \(path)").inserted {
                    // A string of that length is not enough where it has to be a path.
                    sample.set(path[...], to: .scalar("\"/x\""))
                } else {
                    break
                }
            } else {
                let next = found.first { SchemaType($0.expected).isContainer && !tried.contains($0.path) }
                guard let next else { break }
                tried.insert(next.path)
                sample.set(next.path[...], to: .fitting(next.expected))
            }
        }
        let notes = found.filter { note in !given.contains { $0.name == note.path } }
        members = Self.tree(notes, below: "")
    }

    private static func read<Value: WireValue>(
        _: Value.Type, _ text: String, _ witness: SchemaWitness
    ) -> ProtocolProblem? {
        var bytes = Array(text.utf8)
        var scanner = JSONScanner(maximumDepth: Limits.depth)
        var problem: ProtocolProblem?
        bytes.withUnsafeMutableBytes { memory in
            try? scanner.scan(UnsafeRawBufferPointer(memory)) { value throws(JSONError) in
                var members = MemberReader(value, witness: witness)
                do throws(ProtocolProblem) { _ = try Value(from: &members) } catch { problem = error }
            }
        }
        return problem
    }

    private static func tree(
        _ notes: [(path: String, expected: String, isRequired: Bool)], below prefix: String
    ) -> [Member] {
        notes.compactMap { note in
            guard note.path.hasPrefix(prefix) else { return nil }
            let name = note.path.dropFirst(prefix.count)
            guard !name.contains("."), !name.contains("[") else { return nil }
            let type = SchemaType(note.expected)
            var isArray = false
            if case .objects = type { isArray = true }
            let below = type.isContainer ? tree(notes, below: note.path + (isArray ? "[0]." : ".")) : []
            return Member(name: String(name), type: type, isRequired: note.isRequired, members: below)
        }
    }
}

extension MessageSchema {
    /// JSON Schema (2020-12) of the message.
    func write(to writer: inout JSONWriter) { Self.write(members, nullable: false, limit: nil, to: &writer) }

    static func write(_ member: Member, to writer: inout JSONWriter) {
        let nullable = !member.isRequired
        func type(_ name: String, _ writer: inout JSONWriter) {
            if nullable { writer.member("type", [name, "null"]) } else { writer.member("type", name) }
        }
        switch member.type {
        case .object: write(member.members, nullable: nullable, limit: nil, to: &writer)
        case .objects(let limit):
            writer.object { writer in
                type("array", &writer)
                if let limit { writer.member("maxItems", limit) }
                writer.key("items")
                write(member.members, nullable: false, limit: nil, to: &writer)
            }
        case .data(let bytes):
            writer.object { writer in
                type("object", &writer)
                writer.member("description", "\(bytes.lowerBound) to \(bytes.upperBound) bytes")
                writer.member("required", ["base64"])
                writer.key("properties")
                writer.object { writer in
                    writer.key("base64")
                    writer.object { writer in
                        writer.member("type", "string")
                        writer.member("contentEncoding", "base64")
                    }
                }
            }
        default:
            writer.object { writer in
                switch member.type {
                case .string(let bytes):
                    type("string", &writer)
                    guard let bytes else { return }
                    if bytes.lowerBound > 0 { writer.member("minLength", 1) }
                    // A character takes a byte or more.
                    if bytes.upperBound < 1 << 20 { writer.member("maxLength", bytes.upperBound) }
                case .integer(let range):
                    type("integer", &writer)
                    writer.member("minimum", range.lowerBound)
                    writer.member("maximum", range.upperBound)
                case .boolean: type("boolean", &writer)
                case .choice(let words):
                    writer.key("enum")
                    writer.array { writer in
                        for word in words { writer.string(word) }
                        if nullable { writer.null() }
                    }
                case .requestID: writer.member("type", ["string", "integer"])
                case .strings:
                    type("array", &writer)
                    writer.key("items")
                    writer.object { $0.member("type", "string") }
                case .any, .object, .objects, .data: return
                }
            }
        }
    }

    private static func write(_ members: [Member], nullable: Bool, limit: Int?, to writer: inout JSONWriter) {
        writer.object { writer in
            if nullable { writer.member("type", ["object", "null"]) } else { writer.member("type", "object") }
            guard !members.isEmpty else { return }
            writer.key("properties")
            writer.object { writer in
                for member in members {
                    writer.key(string: member.name)
                    write(member, to: &writer)
                }
            }
            let required = members.filter(\.isRequired).map(\.name)
            if !required.isEmpty { writer.member("required", required) }
        }
    }
}
