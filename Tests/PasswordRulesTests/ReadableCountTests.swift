// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("The readable format is counted exactly")
struct ReadableCountTests {
    @Test(
        "Limits on runs are counted as by following each password character by character",
        arguments: [
            "max-consecutive: 1", "max-consecutive: 2", "max-consecutive: 3", "max-repeating: 1", "max-sequential: 1",
            "max-sequential: 2", "max-sequential: 4", "max-sequential: 5", "max-repeating: 1; max-sequential: 3",
        ], [true, false])
    func runs(_ descriptor: String, _ hasDashes: Bool) throws {
        let rules = try PasswordRules(descriptor: descriptor + (hasDashes ? "" : "; allowed: upper, lower, digit"))
        let generator = try PasswordGenerator(rules: rules, options: .init(targetBits: 60))
        #expect(generator.format == (hasDashes ? .readable : .readableWithoutDashes))
        #expect(generator.count.description == expected(rules, hasDashes).description)
    }

    private struct State: Hashable {
        var last: UInt8 = 0
        var equal = 0
        var up = 1
        var down = 1
        var hasCapital = false
    }

    /// Puts every character of every pattern at its position, in order.
    private func expected(_ rules: PasswordRules, _ hasDashes: Bool) -> UInt128 {
        let repeating = min(rules.maxConsecutive ?? .max, rules.maxRepeating ?? .max)
        let sequential = min(rules.maxConsecutive ?? .max, rules.maxSequential ?? .max)
        let patterns = [
            "CVCCV9-CVCCVC-CVCCVC", "CVCCVC-9CVCCV-CVCCVC", "CVCCVC-CVCCV9-CVCCVC", "CVCCVC-CVCCVC-9CVCCV",
            "CVCCVC-CVCCVC-CVCCV9",
        ]
        return patterns.reduce(0) { sum, pattern in
            var ways: [State: UInt128] = [State(): 1]
            for kind in pattern where hasDashes || kind != "-" {
                var next: [State: UInt128] = [:]
                for (state, count) in ways {
                    for character in characters(kind) {
                        let isCapital = (0x41...0x5A).contains(character)
                        if isCapital && state.hasCapital { continue }
                        let inGroup = isLetterOrDigit(character) && isLetterOrDigit(state.last)
                        let reached = State(
                            last: character, equal: character == state.last ? state.equal + 1 : 1,
                            up: inGroup && character == state.last &+ 1 ? state.up + 1 : 1,
                            down: inGroup && state.last == character &+ 1 ? state.down + 1 : 1,
                            hasCapital: state.hasCapital || isCapital)
                        if reached.equal > repeating || reached.up > sequential || reached.down > sequential {
                            continue
                        }
                        next[reached, default: 0] += count
                    }
                }
                ways = next
            }
            return ways.filter(\.key.hasCapital).values.reduce(sum, +)
        }
    }

    private func characters(_ kind: Character) -> [UInt8] {
        switch kind {
        case "C": Array("bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ".utf8)
        case "V": Array("aeiouyAEIUY".utf8)
        case "9": Array("0123456789".utf8)
        default: Array("-".utf8)
        }
    }

    private func isLetterOrDigit(_ character: UInt8) -> Bool {
        PrintableSet.upper.union(.lower).union(.digit).contains(character)
    }
}
