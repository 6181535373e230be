// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Forms

@Suite("The words of the languages")
struct WordListTests {
    private static func kern(_ entry: String) -> String { entry.filter { $0 != "*" && $0 != "=" } }

    private static func precedes(_ first: String, _ second: String) -> Bool {
        let (former, latter) = (kern(first), kern(second))
        if former.unicodeScalars.elementsEqual(latter.unicodeScalars) { return first < second }
        return former.unicodeScalars.lexicographicallyPrecedes(latter.unicodeScalars)
    }

    @Test("Each list is sorted, so that a word is found")
    func sorted() {
        for language in LanguageWords.all {
            for topic in language.entries.keys {
                let words = language.words(topic)
                for (former, latter) in zip(words, words.dropFirst()) {
                    #expect(Self.precedes(former, latter), "\(topic): \(former), \(latter)")
                }
            }
        }
    }

    @Test("No word is there twice for the same topic, in one language or in two, however it is spelt")
    func distinct() {
        for topic in Topic.allCases {
            var seen: Set<String> = []
            for entry in LanguageWords.all.flatMap({ $0.words(topic) }) {
                let folded = FoldedText.words(of: Self.kern(entry)).joined()
                let spelt = (entry.hasPrefix("=") ? "=" : "") + (entry.hasPrefix("*") ? "*" : "") + folded
                #expect(seen.insert(spelt + (entry.hasSuffix("*") ? "*" : "")).inserted, "\(topic): \(entry)")
            }
        }
    }

    @Test("Every entry has letters or digits, and is found in itself")
    func found() {
        for language in LanguageWords.all {
            for (topic, _) in language.entries {
                for entry in language.words(topic) {
                    let source = FieldWords.Source(code: Self.kern(entry), title: "name")
                    #expect(
                        source.hits.contains { $0.topic.layer == topic.layer && $0.start == 0 }
                            || source.hits.contains { $0.topic == topic }, "\(topic): \(entry)")
                }
            }
        }
    }

    @Test("Each language has words for the user name, the password and its repetition, and for signing up and in")
    func complete() {
        for language in LanguageWords.all {
            for topic in [Topic.username, .password, .confirmation, .new, .current, .signUp, .signIn, .personName] {
                #expect(!language.words(topic).isEmpty, "\(topic), \(language.words(.password))")
            }
        }
    }
}
