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
}
