// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AssociatedDomains

@Suite("Punycode")
struct PunycodeTests {
    /// RFC 3492, section 7.1, in lower case.
    static let samples: [(name: String, label: String, encoded: String)] = [
        ("Arabic", "ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("Chinese, simplified", "他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("Czech", "pročprostěnemluvíčesky", "proprostnemluvesky-uyb24dma41a"),
        ("Hebrew", "למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("Japanese", "なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("Russian", "почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("Artist", "3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
        ("Song", "ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
        ("Mixed", "パフィーdeルンバ", "de-jg4avhby1noc0d"),
    ]

    @Test("The RFC's samples encode and decode", arguments: samples)
    func sample(name: String, label: String, encoded: String) {
        let scalars = Array(label.unicodeScalars)
        #expect(Punycode.encode(scalars) == encoded)
        #expect(Punycode.decode(encoded[...]) == scalars)
        #expect(Punycode.isCanonical(encoded[...]))
    }

    @Test(
        "What folds to something else, or hides, is in no label; letters and joiners that IDNA 2008 keeps are",
        arguments: [
            ("Ü", false), ("ﬁ", false), ("\u{202E}", false), ("\u{AD}", false), ("\u{E000}", false), ("ß", true),
            ("ς", true), ("क्\u{200D}ष", true), ("💩", true),
        ])
    func content(label: String, isAllowed: Bool) throws {
        let encoded = try #require(Punycode.encode(Array(label.unicodeScalars)))
        #expect(Punycode.isCanonical(encoded[...]) == isAllowed)
    }

    @Test("Any label is restored from its encoding")
    func roundTrip() throws {
        var generator = SplitMix(state: 7)
        for _ in 0..<2000 {
            let label = (0..<Int.random(in: 1...20, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x61...0x10FFFF, using: &generator))
            }
            let encoded = try #require(Punycode.encode(label))
            #expect(Punycode.decode(encoded[...]) == label)
        }
    }

    @Test(
        "Overflow, plain ASCII, a control character and other alphabets are no Punycode of a label",
        arguments: ["99999999999999999999", "zzzzzzzzzzz", "abc-", "", "-", "a", "bcher-kvA", "a-ß", "bcher-kva-"])
    func refused(text: String) {
        #expect(!Punycode.isCanonical(text[...]))
    }
}

/// A seeded generator (SplitMix64), so that a failure can be had again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
