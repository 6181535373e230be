// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import TestGround
import Testing

@Suite("The checker names the broken rule and its position")
struct CheckingTests {
    private func violations(_ password: String, _ descriptor: String) throws -> [PasswordViolation] {
        try PasswordRules(descriptor: descriptor).violations(in: password)
    }

    @Test("Each rule that is broken is named, with its position")
    func positions() throws {
        let found = try violations(
            "aaab!xyz", "required: upper; required: digit; allowed: lower; max-consecutive: 2; minlength: 10")
        #expect(
            found.map(\.kind) == [.required, .required, .notAllowed, .repeating, .sequential, .tooShort]
                || found.map(\.kind) == [.required, .required, .repeating, .notAllowed, .sequential, .tooShort])
        #expect(found.first { $0.kind == .notAllowed }?.position == 4..<5)
        #expect(found.first { $0.kind == .repeating }?.position == 0..<3)
        #expect(found.first { $0.kind == .sequential }?.position == 5..<8)
        #expect(found.first { $0.kind == .tooShort }?.missing == 2)
        #expect(found.first?.rule == "required: upper")
    }

    @Test("Required rules need distinct characters")
    func distinct() throws {
        #expect(try violations("a1", "required: digit; required: digit; allowed: lower").map(\.missing) == [1])
        #expect(try violations("12", "required: digit; required: digit").isEmpty)
        // One character serves one of two overlapping rules; the other must be served too, by moving the first.
        #expect(try violations("ba", "required: [ab]; required: [b]").isEmpty)
        #expect(try violations("bb", "required: [ab]; required: [a]").map(\.rule) == ["required: [a]"])
    }

    @Test("A run at the very end counts, and its whole length is reported")
    func runAtEnd() throws {
        let found = try violations("x321", "max-sequential: 2")
        #expect(found.map(\.position) == [1..<4])
        #expect(try violations("zab", "max-sequential: 2").isEmpty)
        #expect(try violations("yzab", "max-sequential: 2").isEmpty)
        #expect(try violations("89:", "max-sequential: 2").isEmpty)
        #expect(try violations("abba", "max-sequential: 2; max-repeating: 2").isEmpty)
    }

    @Test("Beyond ASCII only unicode allows a character, and positions count scalars")
    func unicode() throws {
        #expect(try violations("aé🙂b", "").map(\.position) == [1..<3])
        #expect(try violations("aé🙂b", "allowed: unicode").isEmpty)
        #expect(try violations("éé", "allowed: unicode; max-repeating: 1").map(\.position) == [0..<2])
        #expect(try violations("éè", "allowed: unicode; max-repeating: 1").isEmpty)
        #expect(try violations("é", "required: unicode").isEmpty)
    }

    @Test("A password that is too long is reported with its excess")
    func tooLong() throws {
        #expect(try violations("abcdef", "maxlength: 4").map(\.position) == [4..<6])
    }

    @Test("Bytes and strings are checked the same way, and bytes that are no text are reported")
    func bytes() throws {
        let rules = try PasswordRules(descriptor: "minlength: 3; required: digit; allowed: lower")
        for password in ["ab", "abc1", "é1a", ""] {
            let fromBytes = Array(password.utf8).withUnsafeBytes { rules.violations(in: $0) }
            #expect(fromBytes == rules.violations(in: password))
        }
        #expect([UInt8(0x61), 0xFF].withUnsafeBytes { rules.violations(in: $0) }.map(\.kind) == [.notText])
    }

    @Test("It agrees with brute force on every short password")
    func bruteForce() throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<60 {
            let rules = try RandomRules.make(&generator)
            let alphabet = rules.allowed.characters.characters + [UInt8(ascii: "Q")]
            for _ in 0..<60 {
                let password = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                }
                let isValid = password.withUnsafeBytes { rules.violations(in: $0) }.isEmpty
                #expect(isValid == BruteForce.isValid(password, rules, .strict), "\(rules) \(password)")
            }
        }
    }

    @Test("No message holds a character of the password")
    func discretion() throws {
        for violation in try violations("§§§§", "required: upper; max-consecutive: 2; maxlength: 3; allowed: lower") {
            #expect(!"\(violation)\(violation.message)".contains("§"))
        }
    }
}
