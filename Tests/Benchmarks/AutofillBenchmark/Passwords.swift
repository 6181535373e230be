// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import SecretMemory

/// Passwords drawn and rules read in a second, on one thread.
struct Passwords {
    private let count: Int
    private static let rules =
        "minlength: 20; required: lower; required: upper; required: digit; allowed: [-().&@?'#,/];"

    init(_ environment: BenchmarkEnvironment) { count = environment.isQuick ? 20_000 : 200_000 }

    func measure(_ figures: inout Figures) throws {
        var entropy = SystemEntropy()
        let parsed = try PasswordRules.parse(Self.rules, as: .lenient).rules
        let (readable, ruled) = (
            try PasswordGenerator(rules: PasswordRules.parse("", as: .lenient).rules, options: .init(style: .readable)),
            try PasswordGenerator(rules: parsed, options: .init(style: .random))
        )
        add("passwords, readable", &figures) { _ = readable.draw(using: &entropy) }
        add("passwords, under rules", &figures) { _ = ruled.draw(using: &entropy) }
        add("rules read", &figures) { _ = try? PasswordRules.parse(Self.rules, as: .lenient) }
    }

    private func add(_ name: String, _ figures: inout Figures, _ body: () -> Void) {
        let clock = ContinuousClock()
        let time = clock.measure { for _ in 0..<count { body() } }
        figures.add(Figure(name: name, unit: "/s", value: Double(count) / (time / .seconds(1))))
    }
}
