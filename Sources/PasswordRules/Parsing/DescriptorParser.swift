// SPDX-License-Identifier: Apache-2.0

/// Reads a descriptor as Apple's parser does, in one pass, and notes what was not read as written.
///
/// It works on UTF-8 bytes: no byte of a scalar beyond ASCII has a meaning in the language, so the result is the same
/// as for scalars. The source is `PasswordRulesParser.js` of password-manager-resources (August 2026), with the names
/// of September 2026.
struct DescriptorParser {
    let text: UnsafeBufferPointer<UInt8>
    /// Whether `digits` is read as `digit`.
    let readsDigits: Bool
    var position = 0
    var draft = RulesDraft()
    var diagnostics: [PasswordRulesDiagnostic] = []
    var hasErrors = false
    /// How far the text's scalars were counted, for the positions of diagnostics.
    var counted = (bytes: 0, scalars: 0)

    init(_ text: UnsafeBufferPointer<UInt8>, readsDigits: Bool) {
        self.text = text
        self.readsDigits = readsDigits
        draft.required.reserveCapacity(4)
    }

    var isAtEnd: Bool { position >= text.count }

    mutating func skipWhitespace() {
        while position < text.count, isWhitespace(text[position]) { position += 1 }
    }

    private func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x0C
    }

    private func isNameCharacter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-") }

    /// True where the next byte is `;`, or there is none.
    var isAtRuleEnd: Bool { isAtEnd || text[position] == UInt8(ascii: ";") }

    private mutating func readName() -> Range<Int> {
        let start = position
        while position < text.count, isNameCharacter(text[position]) { position += 1 }
        return start..<position
    }

    mutating func parse() {
        skipWhitespace()
        while !isAtEnd {
            guard isNameCharacter(text[position]) else {
                note(.unexpectedText, .restDropped, position..<text.count)
                return
            }
            parseRule()
            skipWhitespace()
            if isAtEnd { return }
            guard text[position] == UInt8(ascii: ";") else {
                // The rule has reported why it stopped. If text follows it, the rest is dropped as well.
                if !diagnostics.isEmpty { diagnostics[diagnostics.count - 1].action = .everythingDropped }
                draft = RulesDraft()
                return
            }
            position += 1
            skipWhitespace()
        }
    }

    private mutating func parseRule() {
        let start = position
        let name = readName()
        guard let rule = DescriptorVocabulary.ruleName(UnsafeBufferPointer(rebasing: text[name])) else {
            position = start
            return note(.unknownRule, .everythingDropped, name)
        }
        guard !isAtEnd, text[position] == UInt8(ascii: ":") else { return note(.missingColon, .ruleDropped, name) }
        position += 1
        skipWhitespace()
        if isAtRuleEnd { return note(.emptyValue, .ruleDropped, start..<position, isError: false) }
        switch rule {
        case .required:
            if let list = parseClasses() { draft.add(.required(list.characterClass)) }
        case .allowed:
            if let list = parseClasses() { draft.allowed.add(list) }
        case .maxConsecutive: if let value = parseInteger() { draft.add(.maxConsecutive(value)) }
        case .maxRepeating: if let value = parseInteger() { draft.add(.maxRepeating(value)) }
        case .maxSequential: if let value = parseInteger() { draft.add(.maxSequential(value)) }
        case .minLength: if let value = parseInteger() { draft.add(.minLength(value)) }
        case .maxLength: if let value = parseInteger() { draft.add(.maxLength(value)) }
        }
    }

    /// Digits, then `;` or the end directly. Nil where the rule is dropped; 0 has no effect and is dropped silently.
    private mutating func parseInteger() -> UInt? {
        let start = position
        var value: UInt = 0
        let limit = UInt(PasswordRulesLimits.largestInteger)
        var isTooLarge = false
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 {
            value = value &* 10 &+ UInt(text[position] &- UInt8(ascii: "0"))
            if value > limit {
                value = limit
                isTooLarge = true
            }
            position += 1
        }
        guard position > start else {
            note(.notAnInteger, .ruleDropped, start..<endOfRule(from: start))
            return nil
        }
        guard isAtRuleEnd else {
            note(.textAfterInteger, .ruleDropped, start..<endOfRule(from: position))
            return nil
        }
        if isTooLarge { note(.integerTooLarge, .readAsMeant, start..<position, isError: false) }
        if value == 0 { note(.zero, .ruleDropped, start..<position, isError: false) }
        return value
    }

    /// Classes between commas. Nil where the list is broken off, with the position where it broke.
    private mutating func parseClasses() -> ClassUnion? {
        var union = ClassUnion()
        while true {
            if isNameCharacter(text[position]) {
                let name = readName()
                let bytes = UnsafeBufferPointer(rebasing: text[name])
                if let named = DescriptorVocabulary.characterClass(bytes) {
                    union.add(named)
                } else if DescriptorVocabulary.isDigits(bytes) {
                    guard readsDigits else {
                        position = name.lowerBound
                        note(.digits, .everythingDropped, name)
                        return nil
                    }
                    note(.digits, .readAsMeant, name, isError: false)
                    union.add(.digit)
                } else {
                    position = name.lowerBound
                    note(.unknownClass, .everythingDropped, name)
                    return nil
                }
            } else if text[position] == UInt8(ascii: "[") {
                if let custom = parseCustomClass() { union.add(PasswordRule.CharacterClass(custom)) }
            } else {
                note(.missingClass, .ruleDropped, position..<position)
                return nil
            }
            skipWhitespace()
            if isAtRuleEnd { return union }
            guard text[position] == UInt8(ascii: ",") else {
                note(.missingSeparator, .everythingDropped, position..<endOfRule(from: position))
                return nil
            }
            position += 1
            skipWhitespace()
            if isAtEnd {
                note(.missingClass, .ruleDropped, position..<position)
                return nil
            }
        }
    }

    private func endOfRule(from start: Int) -> Int {
        var end = start
        while end < text.count, text[end] != UInt8(ascii: ";") { end += 1 }
        return end
    }
}
