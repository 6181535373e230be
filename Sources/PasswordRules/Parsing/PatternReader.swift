// SPDX-License-Identifier: Apache-2.0

/// Reads the elements of a field's pattern from its front.
struct PatternReader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    var isAtEnd: Bool { rest.isEmpty }

    @discardableResult
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }

    // MARK: - Numbers

    /// `{m}`, `{m,}` or `{m,n}`.
    mutating func number() -> (minimum: Int, maximum: Int?)? {
        let start = rest
        if skip("{"), let minimum = integer() {
            if skip("}") { return (minimum, minimum) }
            if skip(",}") { return (minimum, nil) }
            if skip(","), let maximum = integer(), skip("}"), minimum <= maximum { return (minimum, maximum) }
        }
        rest = start
        return nil
    }

    /// The same, or `*` or `+`.
    mutating func anyNumber() -> (minimum: Int, maximum: Int?)? {
        if skip("*") { return (0, nil) }
        return skip("+") ? (1, nil) : number()
    }

    private mutating func integer() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        return Int(String(digits))
    }

    // MARK: - Classes

    /// The printable ASCII of a class.
    mutating func characterClass() -> PrintableSet? {
        if skip(".") { return .all }
        if skip("[") { return list() }
        guard skip("\\"), let name = rest.popFirst() else { return nil }
        return Self.named(name)
    }

    /// The content of brackets, after the first. Nested lists, and operations on them, are not supported.
    private mutating func list() -> PrintableSet? {
        var set = PrintableSet()
        let isNegated = skip("^")
        while !skip("]") {
            guard !rest.starts(with: "&&".unicodeScalars), !rest.starts(with: "--".unicodeScalars),
                let first = item()
            else { return nil }
            switch first {
            case .characters(let some): set.formUnion(some)
            case .one(let low):
                var high = low
                if rest.first == "-", rest.dropFirst().first != "]" {
                    skip("-")
                    guard case .one(let last)? = item(), low <= last else { return nil }
                    high = last
                }
                for value in max(low.value, 0x20)..<max(min(high.value, 0x7E) + 1, max(low.value, 0x20)) {
                    set.insert(UInt8(value))
                }
            }
        }
        return isNegated ? PrintableSet.all.subtracting(set) : set
    }

    private enum Item {
        case one(Unicode.Scalar)
        case characters(PrintableSet)
    }

    private mutating func item() -> Item? {
        guard let scalar = rest.popFirst(), scalar != "[" else { return nil }
        guard scalar == "\\" else { return .one(scalar) }
        guard let escaped = rest.popFirst() else { return nil }
        if let characters = Self.named(escaped) { return .characters(characters) }
        // Of other escapes only those that mean the character itself: `\-`, `\]`, `\\` and similar ones.
        return PrintableSet.special.contains(UInt8(truncatingIfNeeded: escaped.value)) && escaped.isASCII
            ? .one(escaped) : nil
    }

    private static func named(_ name: Unicode.Scalar) -> PrintableSet? {
        let word = PrintableSet.upper.union(.lower).union(.digit).union(PrintableSet("_".utf8))
        return switch name {
        case "d": .digit
        case "D": PrintableSet.all.subtracting(.digit)
        case "w": word
        case "W": PrintableSet.all.subtracting(word)
        case "s": PrintableSet(" ".utf8)
        case "S": PrintableSet.all.subtracting(PrintableSet(" ".utf8))
        default: nil
        }
    }
}
