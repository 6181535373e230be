// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

/// What rules cost that an app chose to be costly: memory while they are counted and afterwards, and time at each draw.
@Suite("The memory of costly rules")
struct MemoryLimitTests {
    private static func singles(_ count: Int, _ length: Int, _ more: String = "") throws -> PasswordRules {
        let required = "abcdefghijklmn".prefix(count).map { "required: [\($0)]; " }.joined()
        return try PasswordRules(
            descriptor: required + more + "allowed: ascii-printable; minlength: \(length); maxlength: \(length)")
    }

    @Test(
        "Rules whose tables would use more than 4 MiB are refused",
        arguments: [
            (13, 60, ""), (8, 32, "max-consecutive: 2; "), (10, 24, "max-consecutive: 1; "),
            // So few passwords meet these that a draw without tables takes milliseconds.
            (8, 48, "max-consecutive: 2; "),
            // Counting alone would use more.
            (4, 80, "max-sequential: 25; max-repeating: 10; "),
        ])
    func refused(_ count: Int, _ length: Int, _ more: String) throws {
        let rules = try Self.singles(count, length, more)
        #expect(throws: PasswordRulesRefusal.tooComplex(.tableWords)) {
            _ = try PasswordGenerator(rules: rules, options: .init(style: .random))
        }
    }

    @Test(
        "Rules with as many required characters as sites ask for, and more, are not",
        arguments: [
            (8, 20, ""), (11, 20, ""), (6, 20, "max-consecutive: 2; "), (4, 64, "max-consecutive: 3; "),
            (4, 64, "max-sequential: 3; max-repeating: 3; "), (4, 128, "max-consecutive: 2; "),
        ])
    func accepted(_ count: Int, _ length: Int, _ more: String) throws {
        let rules = try Self.singles(count, length, more)
        let generator = try PasswordGenerator(rules: rules, options: .init(style: .random))
        #expect(generator.length == length)
    }
}
