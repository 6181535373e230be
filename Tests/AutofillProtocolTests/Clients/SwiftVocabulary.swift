// SPDX-License-Identifier: Apache-2.0
import Testing

/// A set of words of the wire, and the type for it in the Swift client.
struct SwiftVocabulary {
    /// With the type that it is nested in.
    let name: String
    let words: [String]
    private let summary: Substring
    private let meanings: [(name: Substring, meaning: String)]

    /// - Parameter text: what the type is, then a line `word: meaning` for each word, or `name=word: meaning`.
    init(_ name: String, _ words: [String], _ text: String) {
        let lines = text.split(separator: "\n")
        (self.name, self.words, summary) = (name, words, lines[0])
        meanings = lines.dropFirst().map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return (parts[0], String(parts[1]))
        }
    }

    private var constants: [(name: String, word: String, meaning: String)] {
        meanings.map { entry in
            let names = entry.name.split(separator: "=").map(String.init)
            return (names[0].camelCase, names.last ?? "", entry.meaning)
        }
    }

    /// Fails unless each word has its meaning.
    func check() { #expect(Set(constants.map(\.word)) == Set(words), "\(name)") }

    var source: String {
        let constants = constants.map { constant in
            """
            \(constant.meaning.wrapped("/// ", width: 112))
            public static let \(constant.name) = Self(rawValue: "\(constant.word)")
            """
        }
        return """
            \(String(summary).wrapped("/// "))
            public struct \(name.split(separator: ".").last ?? ""): ProtocolWord {
                /// The value on the wire.
                public let rawValue: String

                /// - Parameter rawValue: the value on the wire.
                public init(rawValue: String) { self.rawValue = rawValue }

            \(constants.joined(separator: "\n").indented())
            }
            """
    }
}
