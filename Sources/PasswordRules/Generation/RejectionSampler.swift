// SPDX-License-Identifier: Apache-2.0

/// Draws characters at random until the password meets the rules: every valid one is equally likely. For rules that a
/// sufficient fraction of all passwords meets.
struct RejectionSampler: Sendable {
    /// The fraction of valid passwords, as a power of two, down to which this sampler is used: a draw takes up to some
    /// tenths of a millisecond.
    static let leastFraction = -10.0

    private let alphabet: [UInt8]
    private let length: Int
    private let automaton: RequirementAutomaton?
    private let runs: RunLimits?
    private let batch: Int
    private let whole: UniformDigits
    private let rest: UniformDigits

    init(_ rules: PasswordRules, counter: PasswordCounter, length: Int) {
        alphabet = rules.allowed.characters.characters
        self.length = length
        automaton = counter.automaton.stateCount > 1 ? counter.automaton : nil
        let limits = counter.runs.effective(
            length: length, longestChain: CharacterSymmetry.longestChain(rules.allowed.characters))
        runs = limits.limitsSomething ? limits : nil
        let base = UInt64(alphabet.count)
        let (digits, product) = UniformDigits.batch(base: base, wanted: length)
        batch = digits
        whole = UniformDigits(product: product)
        rest = UniformDigits(product: UniformDigits.batch(base: base, wanted: length % digits).product)
    }

    /// The size of the automaton that it follows a password by.
    var transitionCount: Int { automaton?.transitions.count ?? 0 }

    func draw(into memory: UnsafeMutablePointer<UInt8>, using generator: inout some RandomNumberGenerator) {
        alphabet.withUnsafeBufferPointer { alphabet in
            repeat {
                var position = 0
                while position < length {
                    let digits = min(batch, length - position)
                    let rule = digits == batch ? whole : rest
                    var random: UInt64
                    repeat {
                        random = generator.next()
                        for index in position..<position + digits {
                            memory[index] = alphabet[UniformDigits.take(UInt64(alphabet.count), from: &random)]
                        }
                    } while !rule.accepts(random)
                    position += digits
                }
            } while !isValid(memory)
        }
    }

    @inline(__always)
    private func isValid(_ memory: UnsafeMutablePointer<UInt8>) -> Bool {
        if let runs {
            var follower = RunFollower()
            for index in 0..<length where !follower.append(memory[index], within: runs) { return false }
        }
        return automaton?.accepts(memory, length) ?? true
    }
}
