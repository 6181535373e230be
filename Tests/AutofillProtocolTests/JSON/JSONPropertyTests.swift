// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import SecretMemory
import TestGround
import Testing

@Suite("JSON, on random documents")
struct JSONPropertyTests {
    @Test("A random document is read as what it was written from", arguments: 0..<400)
    func readBack(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let model = Model.random(depth: 4, using: &generator)
        let text = model.text(using: &generator)
        let read = try reading(text) { value throws(JSONError) in try Model(value) }
        #expect(read == model)
    }

    @Test("A random document, written by the writer, is read as the same", arguments: 0..<400)
    func writtenAndRead(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let model = Model.random(depth: 4, using: &generator)
        var writer = JSONWriter()
        model.write(to: &writer)
        let text = writer.withUnsafeBytes { Array($0) }
        #expect(try reading(text) { value throws(JSONError) in try Model(value) } == model)
        #expect(foundation(text) == model || model.isBeyondFoundation)
    }

    @Test(
        "A damaged document is accepted by Foundation wherever it is accepted here, and read as the same",
        arguments: 0..<400)
    func agreesWithFoundation(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var text = Array(Model.random(depth: 3, using: &generator).text(using: &generator).utf8)
        for _ in 0..<40 {
            let index = Int.random(in: 0..<text.count, using: &generator)
            let old = text[index]
            let replacements = Array("[]{}\",:0e-.+ \\u/ntf1".utf8) + [0, 0x1F, 0x80, 0xC0, 0xED, 0xFF]
            text[index] = replacements[Int.random(in: 0..<replacements.count, using: &generator)]
            let ours = try? reading(text) { value throws(JSONError) in try Model(value) }
            let theirs = foundation(text)
            if let ours {
                #expect(
                    theirs == ours || ours.isBeyondFoundation, "\(String(decoding: text, as: UTF8.self))")
            } else if theirs != nil {
                // Foundation is laxer in what these problems name, and in nothing else.
                let found = problem(of: text)
                let known: [JSONError.Problem?] = [
                    .duplicateMember, .expectedName, .expectedValue, .invalidUTF8, .loneSurrogate,
                ]
                #expect(known.contains(found), "\(String(decoding: text, as: UTF8.self))")
            }
            text[index] = old
        }
    }

    private func foundation(_ text: [UInt8]) -> Model? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) else {
            return nil
        }
        return Model(foundation: object)
    }
}

extension Model {
    init(_ value: JSONValue) throws(JSONError) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(try value.bool())
        case .integer: self = .integer(try value.integer())
        case .number: self = .number(Double(String(decoding: value.rawSlice, as: UTF8.self)) ?? .nan)
        case .string: self = .string(try Self.scalars(value))
        case .array: self = .array(try value.elements { element throws(JSONError) in try Model(element) })
        case .object:
            var pairs: [Pair] = []
            for member in try value.members() {
                pairs.append(Pair(name: try Self.scalars(member.name), value: try Model(member.value)))
            }
            self = .object(pairs.sorted { Self.precedes($0.name, $1.name) })
        }
    }

    init(foundation object: Any) {
        switch object {
        case is NSNull: self = .null
        case let text as String: self = .string(Array(text.unicodeScalars))
        case let elements as [Any]: self = .array(elements.map { Model(foundation: $0) })
        case let members as [String: Any]:
            let pairs = members.map { Pair(name: Array($0.key.unicodeScalars), value: Model(foundation: $0.value)) }
            self = .object(pairs.sorted { Self.precedes($0.name, $1.name) })
        case let number as NSNumber where number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c")):
            self = .bool(number.boolValue)
        case let number as NSNumber:
            let exact = Int64(exactly: number.doubleValue).map { abs($0) <= 0x1F_FFFF_FFFF_FFFF } ?? false
            self = exact ? .integer(number.int64Value) : .number(number.doubleValue)
        default: self = .null
        }
    }

    private static func precedes(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }

    private static func scalars(_ value: JSONValue) throws(JSONError) -> [Unicode.Scalar] {
        let bytes = try value.secret(allowingNUL: true).withUnsafeBytes { Array($0) }
        return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .number(let value): Array("\(value)".utf8).withUnsafeBytes { writer.raw($0) }
        case .string(let scalars): writer.secret(SecretBytes(utf8: String(String.UnicodeScalarView(scalars))))
        case .array(let elements): writer.array { writer in for element in elements { element.write(to: &writer) } }
        case .object(let pairs):
            writer.object { writer in
                for pair in pairs {
                    writer.key(string: String(String.UnicodeScalarView(pair.name)))
                    pair.value.write(to: &writer)
                }
            }
        }
    }

    /// Whether it has a number that is an integer by value but not by form (`1e3`, `-0.0`) or that no double holds; two
    /// names that are canonically equivalent, which Foundation's dictionary merges; or a U+FEFF, which Foundation
    /// drops after an escape.
    var isBeyondFoundation: Bool {
        switch self {
        case .number(let value): !value.isFinite || Int64(exactly: value) != nil || abs(value) < 1e-300
        case .array(let elements): elements.contains { $0.isBeyondFoundation }
        case .string(let scalars): scalars.contains("\u{FEFF}")
        case .object(let pairs):
            Set(pairs.map { String(String.UnicodeScalarView($0.name)) }).count < pairs.count
                || pairs.contains { $0.name.contains("\u{FEFF}") || $0.value.isBeyondFoundation }
        default: false
        }
    }
}
