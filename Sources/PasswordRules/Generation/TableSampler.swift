// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Draws the number of a password and finds the password of that number by the counts of all continuations. For rules
/// that few passwords meet.
struct TableSampler: Sendable {
    private let counter: PasswordCounter
    private let alphabet: [UInt8]
    private let count: PasswordCount

    /// - Parameter counter: one that keeps its layers, at the length of the password.
    init(_ rules: PasswordRules, counter: PasswordCounter) {
        self.counter = counter
        alphabet = rules.allowed.characters.characters
        count = counter.count
    }

    func draw(into memory: UnsafeMutablePointer<UInt8>, using generator: inout some RandomNumberGenerator) {
        let words = count.words.count
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { number in
            guard let number = number.baseAddress else { return }
            draw(number, words, using: &generator)
            find(number, words, into: memory)
            explicit_bzero(number, words * MemoryLayout<UInt64>.stride)
        }
    }

    /// A uniform number below the count: random bits until they are below it.
    private func draw(_ number: Words.Target, _ words: Int, using generator: inout some RandomNumberGenerator) {
        let mask = UInt64.max >> UInt64(count.words[words - 1].leadingZeroBitCount)
        count.words.withUnsafeBufferPointer { count in
            guard let count = count.baseAddress else { return }
            repeat {
                for index in 0..<words { number[index] = generator.next() }
                number[words - 1] &= mask
            } while !Words.isGreater(count, words: words, than: number, of: words)
        }
    }

    private func find(_ number: Words.Target, _ words: Int, into memory: UnsafeMutablePointer<UInt8>) {
        var state = 0
        var runs = RunFollower()
        for position in 0..<counter.length {
            let layer = counter.layers[counter.length - 1 - position]
            layer.numbers.withUnsafeBufferPointer { numbers in
                guard let numbers = numbers.baseAddress else { return }
                for character in alphabet {
                    var next = runs
                    guard next.append(character, within: counter.runs) else { continue }
                    let nextState = counter.automaton.next(state, counter.automaton.signature(character))
                    let ways = numbers + cell(nextState, character, next) * layer.words
                    // Of all ways there are no more than passwords: a layer's further words are 0.
                    let waysWords = min(layer.words, words)
                    if Words.isGreater(ways, words: waysWords, than: number, of: words) {
                        memory[position] = character
                        (state, runs) = (nextState, next)
                        return
                    }
                    Words.subtract(ways, from: number, words: waysWords, of: words)
                }
            }
        }
    }

    private func cell(_ state: Int, _ character: UInt8, _ runs: RunFollower) -> Int {
        let position = counter.symmetry.positions[Int(character & 0x7F)]
        var index = 0
        if runs.repeated > 1, counter.runs.repeating < .max {
            index = counter.layout.repeated(runs.repeated)
        } else if counter.runs.sequential < .max, max(runs.ascending, runs.descending) > 1 {
            let isAscending = runs.ascending > 1
            index = counter.layout.sequential(
                max(runs.ascending, runs.descending), upwards: isAscending != position.isReversed)
        }
        return counter.layout.cell(state, orbit: position.orbit, position: index)
    }
}
