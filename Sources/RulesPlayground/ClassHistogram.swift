// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PasswordRules

/// The four classes into which printable ASCII divides.
enum ClassKind: String, CaseIterable {
    case upper, lower, digit, special

    var characters: PrintableSet {
        switch self {
        case .upper: .upper
        case .lower: .lower
        case .digit: .digit
        case .special: .special
        }
    }
}

/// How many of some drawn passwords have how many characters of each class.
struct ClassHistogram {
    /// For each class, passwords by their number of its characters.
    private(set) var passwords: [[Int]]

    init(_ generator: PasswordGenerator, using entropy: inout some RandomNumberGenerator) {
        passwords = ClassKind.allCases.map { _ in Array(repeating: 0, count: generator.length + 1) }
        for _ in 0..<PlaygroundLimits.drawn {
            let password = generator.draw(using: &entropy)
            for (index, kind) in ClassKind.allCases.enumerated() {
                passwords[index][password.utf8.count(where: kind.characters.contains)] += 1
            }
        }
    }

    /// `"histogram": {"upper": [0, 1000, …], …}`
    func write(to writer: inout JSONWriter) {
        writer.member(
            "histogram",
            object: { writer in
                for (kind, passwords) in zip(ClassKind.allCases, passwords) {
                    writer.key(string: kind.rawValue)
                    writer.array { writer in
                        for count in passwords { writer.integer(count) }
                    }
                }
            })
    }
}
