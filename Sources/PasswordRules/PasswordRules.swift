// SPDX-License-Identifier: Apache-2.0

/// What a site requires of its passwords, in the canonical form of Apple's password rules language.
///
/// ```swift
/// let rules = try PasswordRules(descriptor: "required: upper; required: digit; minlength: 12")
/// let same = try PasswordRules(rules: [.required(.upper), .required(.digit), .minLength(12)])
/// ```
public struct PasswordRules: Hashable, Sendable {
    /// The required classes in source order, duplicates too. An empty one requires nothing.
    public let required: [PasswordRule.CharacterClass]
    /// All characters that may occur, the required ones included. Never empty.
    public let allowed: PasswordRule.CharacterClass
    /// The limit on equal characters in a row and on ascending or descending ones.
    public let maxConsecutive: Int?
    /// The limit on equal characters in a row.
    public let maxRepeating: Int?
    /// The limit on characters that ascend or descend within a–z, A–Z or 0–9.
    public let maxSequential: Int?
    /// The least length, in characters.
    public let minLength: Int?
    /// The greatest length, in characters. It may be less than the minimum: then no password meets the rules.
    public let maxLength: Int?

    /// No rules: any printable ASCII.
    public init() { self.init(RulesDraft()) }

    /// The rules of a list, merged as the language merges them.
    ///
    /// - Throws: ``PasswordRulesRefusal/descriptorTooLong(limit:)`` where the descriptor would pass 4,096 characters.
    public init(rules: [PasswordRule]) throws(PasswordRulesRefusal) {
        var draft = RulesDraft()
        for rule in rules { draft.add(rule) }
        self.init(draft)
        let limit = PasswordRulesLimits.descriptorScalars
        guard canonicalText(limit: limit) != nil else { throw .descriptorTooLong(limit: limit) }
    }

    init(_ draft: RulesDraft) {
        required = draft.required
        allowed = draft.allowed.isEmpty ? .asciiPrintable : draft.allowed.characterClass
        maxConsecutive = draft.maxConsecutive
        maxRepeating = draft.maxRepeating
        maxSequential = draft.maxSequential
        minLength = draft.minLength
        maxLength = draft.maxLength
    }

    /// The rules as a list in canonical order: required, allowed, max-consecutive, max-repeating, max-sequential,
    /// minlength, maxlength. Where `unicode` meets `ascii-printable` the order matters: ``description`` is what reads
    /// back the same, always.
    public var rules: [PasswordRule] { required.map(PasswordRule.required) + [.allowed(allowed)] + numericRules }

    var numericRules: [PasswordRule] {
        [
            maxConsecutive.map { .maxConsecutive(UInt($0)) }, maxRepeating.map { .maxRepeating(UInt($0)) },
            maxSequential.map { .maxSequential(UInt($0)) }, minLength.map { .minLength(UInt($0)) },
            maxLength.map { .maxLength(UInt($0)) },
        ].compactMap(\.self)
    }
}

/// Rules being gathered, from a descriptor or a list.
struct RulesDraft {
    var required: [PasswordRule.CharacterClass] = []
    var allowed = ClassUnion()
    private(set) var maxConsecutive: Int?
    private(set) var maxRepeating: Int?
    private(set) var maxSequential: Int?
    private(set) var minLength: Int?
    private(set) var maxLength: Int?

    mutating func add(_ rule: PasswordRule) {
        switch rule {
        case .required(let characters):
            required.append(characters)
            allowed.add(characters)
        case .allowed(let characters): allowed.add(characters)
        case .maxConsecutive(let value): lower(\.maxConsecutive, to: value)
        case .maxRepeating(let value): lower(\.maxRepeating, to: value)
        case .maxSequential(let value): lower(\.maxSequential, to: value)
        case .maxLength(let value): lower(\.maxLength, to: value)
        case .minLength(0): break
        case .minLength(let value): minLength = max(minLength ?? 0, saturated(value))
        }
    }

    private mutating func lower(_ limit: WritableKeyPath<RulesDraft, Int?>, to value: UInt) {
        guard value > 0 else { return }
        self[keyPath: limit] = min(self[keyPath: limit] ?? .max, saturated(value))
    }

    private func saturated(_ value: UInt) -> Int { Int(min(value, UInt(PasswordRulesLimits.largestInteger))) }
}
