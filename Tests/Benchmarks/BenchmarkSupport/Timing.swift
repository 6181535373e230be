// SPDX-License-Identifier: Apache-2.0

/// Durations of one operation, in microseconds.
package struct Timing {
    package private(set) var samples: [Double] = []

    package init() {}

    @discardableResult
    package mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        samples.append((clock.now - start) / .microseconds(1))
        return result
    }

    package mutating func add(_ microseconds: Double) { samples.append(microseconds) }

    package func percentile(_ share: Double) -> Double {
        let sorted = samples.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    package var median: Double { percentile(0.5) }

    package func describe(_ name: String, against other: Timing? = nil) {
        let ratio = other.map { "   \(Self.text(median / $0.median)) × bare" } ?? ""
        let padded = name + String(repeating: " ", count: max(0, 52 - name.count))
        print(
            "\(padded) p50 \(Self.text(median)) µs   p99 \(Self.text(percentile(0.99))) µs   longest \(Self.text(samples.max() ?? 0)) µs\(ratio)"
        )
    }

    /// With two decimals.
    package static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100)." + String(hundredths % 100 + 100).dropFirst()
    }
}
