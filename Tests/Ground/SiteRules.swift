// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Password rules as sites have them, by domain.
package enum SiteRules {
    /// Those below, and of real sites where `../shared` is present.
    package static func all() throws -> [String: String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.deletingLastPathComponent().appending(path: "shared/fixtures/quirks/password-rules.json")
        guard let data = try? Data(contentsOf: file) else { return invented }
        return try JSONDecoder().decode([String: Site].self, from: data)
            .mapValues(\.rules).merging(invented) { $1 }
    }

    private struct Site: Decodable {
        let rules: String

        enum CodingKeys: String, CodingKey { case rules = "password-rules" }
    }

    /// In the shapes of real ones: bounds alone, each class, sets with every awkward character, runs, short and long
    /// ones.
    private static let invented = [
        "pin.example": "minlength: 4; maxlength: 4; required: digit;",
        "bounds.example": "minlength: 6; maxlength: 16;",
        "classes.example": "minlength: 8; maxlength: 20; required: lower; required: upper; required: digit;",
        "either.example": "minlength: 8; required: lower, upper; required: digit, special; max-consecutive: 2;",
        "special.example":
            "minlength: 12; maxlength: 36; required: lower; required: upper; required: digit; required: [-~!@#$%^&*_+=`|(){}[:;\"'<>,.?/]];",
        "few.example": "minlength: 8; maxlength: 12; required: [!@#]; required: digit; allowed: lower, upper;",
        "hyphen.example": "minlength: 10; allowed: lower, digit, [-]; max-consecutive: 1;",
        "ascii.example": "minlength: 15; allowed: ascii-printable;",
        "unicode.example": "minlength: 8; maxlength: 64; allowed: unicode;",
        "short.example": "maxlength: 6; allowed: digit, upper;",
        "long.example": "minlength: 100; maxlength: 127; required: lower; required: digit;",
        "sets.example":
            "minlength: 8; required: [abc]; required: [012]; required: [.,]; required: upper; max-consecutive: 3;",
    ]
}
