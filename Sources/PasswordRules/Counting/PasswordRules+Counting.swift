// SPDX-License-Identifier: Apache-2.0

extension PasswordRules {
    /// The exact number of passwords of a length that meet the rules; 0 outside minlength...maxlength.
    ///
    /// - Throws: ``PasswordRulesRefusal/tooComplex(_:)`` over 256 characters, or where counting passes a limit.
    package func count(
        length: Int, reading: CountReading = .strict
    ) throws(PasswordRulesRefusal) -> PasswordCount {
        guard length <= PasswordRulesLimits.length else { throw .tooComplex(.length(length)) }
        guard length >= max(1, minLength ?? 0), length <= maxLength ?? .max else { return .zero }
        var counter = try PasswordCounter(self, reading: reading, longest: length)
        guard length >= counter.automaton.minimumLength else { return .zero }
        guard counter.steps(upTo: length) <= PasswordRulesLimits.countingSteps else {
            throw .tooComplex(.countingSteps)
        }
        while counter.length < length { counter.advance() }
        return counter.count
    }

    /// The exact number of passwords of each length up to `longest` that meet the rules, in one pass; without the lengths
    /// of which there is none, and without those that would pass a limit on counting.
    ///
    /// - Throws: ``PasswordRulesRefusal/tooComplex(_:)`` where no length can be counted.
    package func counts(upTo longest: Int) throws(PasswordRulesRefusal) -> [(length: Int, count: PasswordCount)] {
        var longest = min(longest, maxLength ?? .max, PasswordRulesLimits.length)
        var least = max(1, minLength ?? 0)
        guard least <= longest else { return [] }
        var counter = try PasswordCounter(self, reading: .strict, longest: longest)
        // The counter does not follow required rules that any character meets.
        least = max(least, counter.automaton.minimumLength)
        guard least <= longest else { return [] }
        while longest >= least, counter.steps(upTo: longest) > PasswordRulesLimits.countingSteps { longest -= 1 }
        guard longest >= least else { throw .tooComplex(.countingSteps) }
        var counts: [(length: Int, count: PasswordCount)] = []
        while counter.length < longest {
            counter.advance()
            if counter.length >= least, !counter.count.isZero { counts.append((counter.length, counter.count)) }
        }
        return counts
    }
}
