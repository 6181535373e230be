// SPDX-License-Identifier: Apache-2.0
import TestGround

/// A JSON value for comparison, and random ones with the text they may be written as.
indirect enum Model: Hashable {
    case object([Pair])
    case array([Model])
    case string([Unicode.Scalar])
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    struct Pair: Hashable {
        let name: [Unicode.Scalar]
        let value: Model
    }

    static func random(depth: Int, using generator: inout SeededGenerator) -> Model {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: -0x1F_FFFF_FFFF_FFFF...0x1F_FFFF_FFFF_FFFF, using: &generator))
        case 3:
            return .number(
                Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1024 + 0.000_976_562_5 / 2)
        case 4, 5: return .string(randomScalars(using: &generator))
        case 6:
            let count = Int.random(in: 0..<6, using: &generator)
            return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            let names = Set(
                (0..<Int.random(in: 0..<20, using: &generator)).map { _ in randomScalars(using: &generator) })
            let sorted = names.sorted {
                String.UnicodeScalarView($0).lexicographicallyPrecedes(String.UnicodeScalarView($1))
            }
            return .object(sorted.map { Pair(name: $0, value: random(depth: depth - 1, using: &generator)) })
        }
    }

    private static func randomScalars(using generator: inout SeededGenerator) -> [Unicode.Scalar] {
        let ranges: [ClosedRange<UInt32>] = [
            1...0x1F, 0x20...0x7F, 0x20...0x7F, 0x61...0x63, 0x22...0x22, 0x5C...0x5C, 0x80...0x7FF, 0x800...0xD7FF,
            0xE000...0xFFFD, 0x10000...0x10FFFF,
        ]
        return (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
            let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
            return Unicode.Scalar(UInt32.random(in: range, using: &generator))
        }
    }

    /// The text, with random white space and random escapes.
    func text(using generator: inout SeededGenerator) -> String {
        let space = { (generator: inout SeededGenerator) in
            [" ", "", "", "\t", "\r", "\n", "  "][Int.random(in: 0..<7, using: &generator)]
        }
        var inner: String
        switch self {
        case .null: inner = "null"
        case .bool(let value): inner = "\(value)"
        case .integer(let value): inner = "\(value)"
        case .number(let value): inner = "\(value)"
        case .string(let scalars): inner = Self.quoted(scalars, using: &generator)
        case .array(let elements):
            inner = elements.map { $0.text(using: &generator) }.joined(separator: ",")
            inner = "[\(inner)\(space(&generator))]"
        case .object(let pairs):
            inner = pairs.map { pair in
                let name = Self.quoted(pair.name, using: &generator)
                return space(&generator) + name + space(&generator) + ":" + pair.value.text(using: &generator)
            }.joined(separator: ",")
            inner = "{\(inner)\(space(&generator))}"
        }
        return space(&generator) + inner + space(&generator)
    }

    private static func quoted(_ scalars: [Unicode.Scalar], using generator: inout SeededGenerator) -> String {
        var result = "\""
        for scalar in scalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || Int.random(in: 0..<6, using: &generator) == 0 {
                for unit in String(Character(scalar)).utf16 {
                    let digits = String(unit, radix: 16, uppercase: .random(using: &generator))
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
