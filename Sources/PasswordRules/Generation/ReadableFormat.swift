// SPDX-License-Identifier: Apache-2.0

/// Apple's default password, `xxxxxx-xxxxxx-xxxxxx`: five syllables of consonant, vowel and consonant, one pair of
/// consonant and vowel, one digit at an end of a group but not first, and one capital letter, never O.
/// Without limits on runs there are 4,347,975,615,324,244,531,200: 71.88 bits.
struct ReadableFormat: Sendable {
    static let consonants = Array("bcdfghjkmnpqrstvwxz".utf8)
    static let vowels = Array("aeiouy".utf8)
    private static let letters = 17
    private static let consonantCount = 11
    private static let vowelCount = 6

    let hasDashes: Bool
    /// How many passwords of the format keep the limits on runs.
    let count: PasswordCount
    private let runs: RunLimits?
    /// Five patterns, by the position of the digit: C consonant, V vowel, 9 digit, and dashes as written.
    private let patterns: [UInt8]

    var length: Int { hasDashes ? 20 : 18 }

    init(hasDashes: Bool, runs: RunLimits) {
        self.hasDashes = hasDashes
        self.runs = runs.limitsSomething ? runs : nil
        let patterns = [
            ["CVCCV9", "CVCCVC", "CVCCVC"], ["CVCCVC", "9CVCCV", "CVCCVC"], ["CVCCVC", "CVCCV9", "CVCCVC"],
            ["CVCCVC", "CVCCVC", "9CVCCV"], ["CVCCVC", "CVCCVC", "CVCCV9"],
        ].map { $0.joined(separator: hasDashes ? "-" : "") }
        self.patterns = patterns.flatMap(\.utf8)
        count =
            runs.limitsSomething
            ? PasswordCount(SyllableCounter(runs: runs).count(patterns)) : ReadableFormat.unlimitedCount
    }

    private static let unlimitedCount = PasswordCount(4_347_975_615_324_244_531_200)
    private static let first = UniformDigits(
        product: (0..<consonantCount).reduce(17 * 50) { product, _ in product * 19 })
    private static let second = UniformDigits(product: (0..<vowelCount).reduce(1) { product, _ in product * 6 })

    func draw(into memory: UnsafeMutablePointer<UInt8>, using generator: inout some RandomNumberGenerator) {
        let (first, second) = (ReadableFormat.first, ReadableFormat.second)
        ReadableFormat.consonants.withUnsafeBufferPointer { consonants in
            ReadableFormat.vowels.withUnsafeBufferPointer { vowels in
                patterns.withUnsafeBufferPointer { patterns in
                    while true {
                        var consonantDigits = generator.next()
                        var vowelDigits = generator.next()
                        let capital = UniformDigits.take(UInt64(ReadableFormat.letters), from: &consonantDigits)
                        let number = UniformDigits.take(50, from: &consonantDigits)
                        let pattern = number / 10 * length
                        var letter = 0
                        var isValid = true
                        for index in 0..<length {
                            let kind = patterns[pattern + index]
                            var character = kind
                            if kind == UInt8(ascii: "C") {
                                character = consonants[UniformDigits.take(19, from: &consonantDigits)]
                            } else if kind == UInt8(ascii: "V") {
                                character = vowels[UniformDigits.take(6, from: &vowelDigits)]
                            } else if kind == UInt8(ascii: "9") {
                                memory[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                                continue
                            } else {
                                memory[index] = kind
                                continue
                            }
                            if letter == capital {
                                isValid = isValid && character != UInt8(ascii: "o")
                                character &-= 0x20
                            }
                            letter += 1
                            memory[index] = character
                        }
                        if isValid, first.accepts(consonantDigits), second.accepts(vowelDigits), keepsRuns(memory) {
                            return
                        }
                    }
                }
            }
        }
    }

    private func keepsRuns(_ memory: UnsafeMutablePointer<UInt8>) -> Bool {
        guard let runs else { return true }
        var follower = RunFollower()
        for index in 0..<length where !follower.append(memory[index], within: runs) { return false }
        return true
    }
}
