// SPDX-License-Identifier: Apache-2.0

/// Durations of one operation, in microseconds.
struct Timing {
    private var samples: [Double] = []

    mutating func measure(_ body: () throws -> Void) rethrows {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        samples.append((clock.now - start) / .microseconds(1))
    }

    func percentile(_ share: Double) -> Double {
        let sorted = samples.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    var median: Double { percentile(0.5) }

    func describe(_ name: String, against other: Timing? = nil) {
        let ratio = other.map { "   \(Self.text(median / $0.median)) × bare" } ?? ""
        let padded = name + String(repeating: " ", count: max(0, 52 - name.count))
        print("\(padded) p50 \(Self.text(median)) µs   p99 \(Self.text(percentile(0.99))) µs\(ratio)")
    }

    static func text(_ value: Double) -> String {
        String(Int(value)) + "." + String(Int(value * 100) % 100 + 100).dropFirst()
    }
}
