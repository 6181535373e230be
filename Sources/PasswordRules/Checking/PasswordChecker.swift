// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Checks a password scalar by scalar.
struct PasswordChecker {
    private let rules: PasswordRules
    private let limits: RunLimits
    private var violations: [PasswordViolation] = []
    private var length = 0
    private var runs = RunFollower()
    private var last: Unicode.Scalar?
    /// How often each printable ASCII character occurs; beyond ASCII at index 127.
    private var occurrences = [Int](repeating: 0, count: 128)
    private var openRuns: [PasswordViolation.Kind: Range<Int>] = [:]

    init(_ rules: PasswordRules) {
        self.rules = rules
        limits = RunLimits(rules, reading: .strict)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        let isPrintable = scalar.isASCII && PrintableSet.isPrintable(UInt8(scalar.value))
        let character = isPrintable ? UInt8(scalar.value) : 0x7F
        if !(isPrintable && rules.allowed.characters.contains(character)), !rules.allowed.isUnicode {
            noteNotAllowed()
        }
        occurrences[Int(character)] += 1
        // Scalars beyond ASCII are equal to themselves only, and in no sequence.
        if !isPrintable, scalar != last { runs = RunFollower() }
        runs.append(character)
        last = scalar
        length += 1
        follow(.repeating, runs.repeated, limits.repeating)
        follow(.sequential, max(runs.ascending, runs.descending), limits.sequential)
    }

    /// Neighbours that are not allowed are one violation.
    private mutating func noteNotAllowed() {
        var start = length
        if let last = violations.last, last.kind == .notAllowed, let position = last.position,
            position.upperBound == length
        {
            violations.removeLast()
            start = position.lowerBound
        }
        violations.append(
            PasswordViolation(
                .notAllowed, PasswordRule.allowed(rules.allowed).description, position: start..<length + 1))
    }

    private mutating func follow(_ kind: PasswordViolation.Kind, _ run: Int, _ limit: Int) {
        if run > limit {
            openRuns[kind] = length - run..<length
        } else if let run = openRuns.removeValue(forKey: kind) {
            close(kind, run)
        }
    }

    private mutating func close(_ kind: PasswordViolation.Kind, _ run: Range<Int>) {
        let own: PasswordRule? =
            switch kind {
            case .repeating: rules.maxRepeating.map { .maxRepeating(UInt($0)) }
            default: rules.maxSequential.map { .maxSequential(UInt($0)) }
            }
        let limit = kind == .repeating ? rules.maxRepeating : rules.maxSequential
        let broken = [
            rules.maxConsecutive.flatMap { run.count > $0 ? PasswordRule.maxConsecutive(UInt($0)) : nil },
            limit.flatMap { run.count > $0 ? own : nil },
        ].compactMap(\.self)
        for rule in broken { violations.append(PasswordViolation(kind, rule.description, position: run)) }
    }

    mutating func finish() -> [PasswordViolation] {
        for kind in [PasswordViolation.Kind.repeating, .sequential] {
            if let run = openRuns.removeValue(forKey: kind) { close(kind, run) }
        }
        if let least = rules.minLength, length < least {
            violations.append(PasswordViolation(.tooShort, "minlength: \(least)", missing: least - length))
        }
        if let greatest = rules.maxLength, length > greatest {
            violations.append(PasswordViolation(.tooLong, "maxlength: \(greatest)", position: greatest..<length))
        }
        let required = RequiredMatching(rules, occurrences).violations
        occurrences.withUnsafeMutableBytes { memory in
            if let base = memory.baseAddress { explicit_bzero(base, memory.count) }
        }
        return required + violations
    }
}
