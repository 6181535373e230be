// SPDX-License-Identifier: Apache-2.0
import PasswordRules
import Testing

@Suite("The length follows from rules, target and NIST's floor")
struct LengthTests {
    private func generator(
        _ descriptor: String, _ style: PasswordGenerator.Style = .random, target: Double = 71, length: Int? = nil
    ) throws -> PasswordGenerator {
        try PasswordGenerator(
            rules: PasswordRules(descriptor: descriptor),
            options: .init(style: style, targetBits: target, length: length))
    }

    @Test(
        "Where the rules leave it open, it is long enough for the target and never under 15",
        arguments: [
            ("", 71.0, 15), ("allowed: digit", 71.0, 22), ("allowed: digit", 128.0, 39), ("allowed: lower", 71.0, 16),
            ("minlength: 30", 71.0, 30), ("maxlength: 12", 71.0, 12), ("maxlength: 11", 71.0, 11),
            ("minlength: 8; maxlength: 12", 20.0, 12), ("required: [ac]; max-repeating: 2", 10.0, 15),
        ])
    func open(_ descriptor: String, _ target: Double, _ length: Int) throws {
        let generator = try generator(descriptor, target: target)
        #expect(generator.length == length)
        #expect(generator.bits >= target)
        #expect(!generator.notes.contains { if case .targetNotReached = $0 { true } else { false } })
    }

    @Test("Where no length has the target strength, it is the strongest, and this is noted")
    func unreachable() throws {
        let short = try generator("maxlength: 6; allowed: digit")
        #expect(short.length == 6)
        #expect(short.notes.map(\.code) == ["target-not-reached", "below-floor-length"])
        let few = try generator("allowed: [ac]; max-repeating: 1")
        #expect(few.count.description == "2")
        #expect(few.notes.first?.code == "target-not-reached")
    }

    @Test("Less than NIST's floors is noted")
    func floors() throws {
        #expect(try generator("maxlength: 14").notes == [.belowSoleFactorLength(14)])
        #expect(try generator("maxlength: 7", target: 40).notes == [.belowFloorLength(7)])
        #expect(try generator("").notes.isEmpty)
    }

    @Test("An exact length is kept, or refused")
    func exact() throws {
        #expect(try generator("minlength: 8", length: 9).length == 9)
        #expect(try generator("", .readable, length: 18).format == .readableWithoutDashes)
        #expect(try generator("", .readable, length: 19).format == .random)
        #expect(throws: PasswordRulesRefusal.self) { try generator("minlength: 8", length: 7) }
    }

    @Test(
        "The readable format is used exactly where it always meets the rules",
        arguments: [
            ("", PasswordGenerator.Format.readable),
            ("required: upper; required: lower; required: digit", .readableWithoutDashes),
            ("required: upper; required: lower; required: digit; required: [-]; required: [-]", .readable),
            ("required: upper; required: digit; allowed: lower, [-]; maxlength: 19", .readableWithoutDashes),
            ("required: upper; required: upper; allowed: ascii-printable", .random),
            ("required: digit; required: digit; allowed: ascii-printable", .random),
            ("required: special; allowed: ascii-printable", .readable),
            ("required: [!]; allowed: ascii-printable", .random),
            ("required: [a]; allowed: ascii-printable", .random), ("minlength: 21", .random),
            ("maxlength: 17", .random),
            ("allowed: lower, digit", .random), ("max-consecutive: 3", .readable), ("max-consecutive: 1", .random),
        ])
    func admission(_ descriptor: String, _ format: PasswordGenerator.Format) throws {
        #expect(try generator(descriptor, .readable).format == format)
    }

    @Test("A higher target than that of the readable format needs random characters")
    func higherTarget() throws {
        let generator = try generator("", .readable, target: 100)
        #expect(generator.format == .random && generator.bits >= 100)
        #expect(generator.notes == [.notReadable(.target)])
    }
}
