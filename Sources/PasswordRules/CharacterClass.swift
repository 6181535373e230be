// SPDX-License-Identifier: Apache-2.0

extension PasswordRule {
    /// The characters that a rule speaks of: one named class, or several classes of which any will do.
    ///
    /// ```swift
    /// PasswordRule.required(.upper)
    /// PasswordRule.required([.digit, .special])
    /// try PasswordRule.allowed(.custom("-_."))
    /// ```
    public struct CharacterClass: Hashable, Sendable {
        /// Every Unicode scalar. Generated and counted as printable ASCII.
        let isUnicode: Bool
        /// The printable ASCII characters of the class.
        package let characters: PrintableSet

        init(_ characters: PrintableSet, isUnicode: Bool = false) {
            self.characters = characters
            self.isUnicode = isUnicode
        }

        /// A–Z.
        public static let upper = CharacterClass(.upper)
        /// a–z.
        public static let lower = CharacterClass(.lower)
        /// 0–9.
        public static let digit = CharacterClass(.digit)
        /// The articles' spelling of `digit`; it prints as `digit`.
        public static let digits = digit
        /// The 33 printable ASCII characters that are neither letters nor digits, the space among them.
        public static let special = CharacterClass(.special)
        /// The 95 printable ASCII characters, space to tilde.
        public static let asciiPrintable = CharacterClass(.all)
        /// Every Unicode character. A generated password uses only its printable ASCII.
        public static let unicode = CharacterClass(.all, isUnicode: true)

        /// A class of one's own: `try .custom("-_.")`.
        ///
        /// - Throws: ``PasswordRulesRefusal/characterNotPrintable(_:)`` where a character is not printable ASCII.
        public static func custom(
            _ characters: some Sequence<Character>
        ) throws(PasswordRulesRefusal) -> CharacterClass {
            var set = PrintableSet()
            for character in characters {
                for scalar in character.unicodeScalars {
                    guard scalar.isASCII, PrintableSet.isPrintable(UInt8(scalar.value)) else {
                        throw .characterNotPrintable(scalar)
                    }
                    set.insert(UInt8(scalar.value))
                }
            }
            return CharacterClass(set)
        }
    }
}

extension PasswordRule.CharacterClass: ExpressibleByArrayLiteral {
    /// Any of several classes: `[.upper, .lower]`.
    public init(arrayLiteral classes: PasswordRule.CharacterClass...) {
        var union = ClassUnion()
        for item in classes { union.add(item) }
        self = union.characterClass
    }
}

extension PasswordRule.CharacterClass {
    /// One item of a class in its canonical form.
    package enum Item: Hashable, Sendable {
        case named(String)
        /// Characters in the order A–Z, a–z, 0–9, then the others in ASCII order.
        case custom(String)
    }

    /// The canonical items: full sets by name, then the rest as one custom class.
    package var items: [Item] {
        if isUnicode { return [.named("unicode")] }
        if characters == .all { return [.named("ascii-printable")] }
        var items: [Item] = []
        var rest = characters
        for (set, name) in [
            (PrintableSet.upper, "upper"), (.lower, "lower"), (.digit, "digit"), (.special, "special"),
        ] where set.isSubset(of: characters) {
            items.append(.named(name))
            rest = rest.subtracting(set)
        }
        if !rest.isEmpty { items.append(.custom(String(decoding: rest.canonicalCharacters, as: UTF8.self))) }
        return items
    }

    /// The class as a descriptor spells it. `-` is first and `]` last, where the language reads them literally.
    func spelling(separator: String) -> String {
        if characters.isEmpty { return "[]" }
        return items.map { item in
            switch item {
            case .named(let name): return name
            case .custom(let characters):
                let plain = String(characters.filter { $0 != "-" && $0 != "]" })
                return "[" + (characters.contains("-") ? "-" : "") + plain + (characters.contains("]") ? "]" : "") + "]"
            }
        }.joined(separator: separator)
    }
}

/// Classes being merged: the first of `unicode` and `ascii-printable` wins outright.
struct ClassUnion {
    private var wide: PasswordRule.CharacterClass?
    private var characters = PrintableSet()

    mutating func add(_ item: PasswordRule.CharacterClass) {
        if item.characters == .all {
            wide = wide ?? item
        } else {
            characters.formUnion(item.characters)
        }
    }

    /// Merges a list as it is in the source: its four plain classes do not make it `ascii-printable`.
    mutating func add(_ list: ClassUnion) {
        wide = wide ?? list.wide
        characters.formUnion(list.characters)
    }

    var isEmpty: Bool { wide == nil && characters.isEmpty }

    var characterClass: PasswordRule.CharacterClass { wide ?? PasswordRule.CharacterClass(characters) }
}
