// SPDX-License-Identifier: Apache-2.0

/// How many equal, ascending or descending characters may be adjacent.
struct RunLimits: Hashable, Sendable {
    /// Equal characters in a row; `Int.max` where there is no limit.
    let repeating: Int
    /// Characters in a row that ascend or descend within a–z, A–Z or 0–9; `Int.max` where there is no limit.
    let sequential: Int

    /// `max-consecutive` sets both limits; in the legacy reading only that of equal characters.
    init(_ rules: PasswordRules, reading: PasswordRules.CountReading) {
        let consecutive = rules.maxConsecutive ?? .max
        repeating = min(consecutive, rules.maxRepeating ?? .max)
        sequential = min(reading == .strict ? consecutive : .max, rules.maxSequential ?? .max)
    }

    private init(repeating: Int, sequential: Int) {
        self.repeating = repeating
        self.sequential = sequential
    }

    /// Without the limits that no password of this length can pass.
    func effective(length: Int, longestChain: Int) -> RunLimits {
        RunLimits(
            repeating: repeating >= length ? .max : repeating,
            sequential: sequential >= min(length, longestChain) ? .max : sequential)
    }

    var limitsSomething: Bool { repeating < .max || sequential < .max }

    /// Whether the second character is the next one in a–z, A–Z or 0–9.
    @inline(__always)
    static func follows(_ first: UInt8, _ second: UInt8) -> Bool {
        guard second == first &+ 1 else { return false }
        let letter = (first | 0x20) &- UInt8(ascii: "a")
        return letter < 25 || first &- UInt8(ascii: "0") < 9
    }
}

extension PasswordRules {
    /// What rules mean when passwords are counted.
    package enum CountReading: String, CaseIterable, Sendable {
        /// Required rules need distinct characters; `max-consecutive` also limits ascending and descending runs. A
        /// password that is right here is right in every reading.
        case strict
        /// Required rules may use the same character; `max-consecutive` limits equal characters only. For comparison
        /// with generators that read the rules so.
        case legacy
    }
}
