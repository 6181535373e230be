// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The length of a random password: the shortest that has the target strength, but no shorter than NIST's floor where
/// the rules leave it open. Where none has it, the one with the most passwords.
struct LengthChoice {
    let length: Int
    let count: PasswordCount
    private let counter: PasswordCounter

    init(
        _ rules: PasswordRules, _ lengths: LengthBounds, targetBits: Double
    ) throws(PasswordRulesRefusal) {
        let (least, greatest) = (lengths.range.lowerBound, lengths.range.upperBound)
        let preferred = min(max(least, PasswordRulesLimits.soleFactorLength), greatest)
        let bitsPerCharacter = max(log2(Double(rules.allowed.characters.count)), 1e-3)
        let expected = min(max(preferred, Int(max(0, min(targetBits / bitsPerCharacter, 1e6))) + 1), greatest)
        // Most rules are settled near the expected length; then longer runs need not be followed.
        for horizon in [min(expected + 8, greatest), greatest] {
            var counter = try PasswordCounter(rules, reading: .strict, longest: horizon)
            guard
                counter.steps(upTo: max(expected, counter.automaton.minimumLength))
                    <= PasswordRulesLimits.countingSteps
            else { throw .tooComplex(.countingSteps) }
            var best = (length: 0, count: PasswordCount.zero)
            while counter.length < horizon,
                counter.steps(upTo: counter.length + 1) <= PasswordRulesLimits.countingSteps
            {
                counter.advance()
                guard counter.length >= least else { continue }
                let count = counter.count
                if best.count < count { best = (counter.length, count) }
                if counter.length >= preferred, (count.bits ?? 0) >= targetBits {
                    (length, self.count, self.counter) = (counter.length, count, counter)
                    return
                }
            }
            let isStopped = counter.length < horizon
            guard isStopped || horizon == greatest else { continue }
            guard !best.count.isZero else {
                throw isStopped ? .tooComplex(.countingSteps) : LengthChoice.refusal(rules, lengths)
            }
            (length, count, self.counter) = (best.length, best.count, counter)
            return
        }
        throw .tooComplex(.countingSteps)
    }

    /// Names the rules that together leave no password.
    private static func refusal(
        _ rules: PasswordRules, _ lengths: LengthBounds
    ) -> PasswordRulesRefusal {
        let runs = rules.numericRules.filter { rule in
            switch rule {
            case .maxConsecutive, .maxRepeating, .maxSequential: true
            default: false
            }
        }.map(\.description)
        let allowed = PasswordRule.allowed(rules.allowed).description
        let required = LengthBounds.required(rules)
        return .conflict(rules: (required.isEmpty ? [allowed] : required) + runs + lengths.sources)
    }

    /// The way to draw: random characters until they meet the rules, where enough do; else by tables.
    func sampler(_ rules: PasswordRules) throws(PasswordRulesRefusal) -> PasswordGenerator.Sampler {
        let fraction = (count.bits ?? 0) - Double(length) * log2(Double(rules.allowed.characters.count))
        if fraction >= RejectionSampler.leastFraction {
            return .rejection(RejectionSampler(rules, counter: counter, length: length))
        }
        guard counter.tableWords(upTo: length) <= PasswordRulesLimits.tableWords else { throw .tooComplex(.tableWords) }
        var table = try PasswordCounter(rules, reading: .strict, longest: length, keepsLayers: true)
        while table.length < length { table.advance() }
        return .table(TableSampler(rules, counter: table))
    }
}
