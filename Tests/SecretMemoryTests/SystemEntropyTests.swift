// SPDX-License-Identifier: Apache-2.0
import SecretMemory
import Testing

@Suite("Random numbers from the kernel")
struct SystemEntropyTests {
    @Test("No number occurs twice, over many blocks and in two sources")
    func distinct() {
        // 64-bit numbers: a repetition among 20,000 has a chance of 1 in 10^11.
        let first = SystemEntropy()
        let second = SystemEntropy()
        let numbers = (0..<10_000).flatMap { _ in [first.next(), second.next()] }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test("Every bit is set about half the time")
    func bits() {
        let entropy = SystemEntropy()
        var counts = [Int](repeating: 0, count: 64)
        for _ in 0..<10_000 {
            let number = entropy.next()
            for bit in counts.indices where number >> UInt64(bit) & 1 == 1 { counts[bit] += 1 }
        }
        // Seven standard deviations of 50.
        for count in counts { #expect(abs(count - 5000) < 350) }
    }
}
