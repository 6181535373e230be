// SPDX-License-Identifier: Apache-2.0

extension FieldWords {
    /// One text of a field, or of the form around it.
    struct Source {
        let title: String
        let isCode: Bool
        let text: FoldedText
        let hits: [FoldedText.Hit]

        /// A visible text without asides: “Password (forgot it?)”. There “HP” is a company, or in Indonesia a telephone.
        init(prose: String, title: String) {
            self.title = title
            isCode = false
            text = FoldedText(Self.namingExamples(prose), isProse: true)
            var end = -1
            var hits: [FoldedText.Hit] = []
            for hit in Vocabulary.all.hits(in: text) where hit.topic != .trap || hit.end - hit.start > 2 {
                let isAside = hit.topic == .aside || hit.topic == .lost
                if isAside, hit.start >= end { end = text.clause(around: hit.start).end }
                if hit.start >= end || isAside { hits.append(hit) }
            }
            self.hits = hits
        }

        /// An id or a name.
        init(code: String, title: String, dropping count: Int = 0) {
            self.title = title
            isCode = true
            text = FoldedText(code, isProse: false, dropping: count)
            let hits = Vocabulary.all.hits(in: text)
            // `newLoginPassword` is the password of a new sign-in.
            self.hits = hits.filter { hit in
                hit.topic != .new || !hits.contains { $0.topic == .signIn && $0.start == hit.end }
            }
        }

        /// A text with the word “email” for each address, and “phone” for a number written as a telephone's: examples.
        private static func namingExamples(_ prose: String) -> String {
            let isNumber = prose.utf8.allSatisfy { (40...46).contains($0) || (48...57).contains($0) || $0 == 32 }
            let digits = prose.utf8.count { (48...57).contains($0) }
            if isNumber, "+(0".contains(prose.first ?? " "), (7...13).contains(digits) { return "phone" }
            guard prose.utf8.contains(UInt8(ascii: "@")) else { return prose }
            return prose.split(whereSeparator: \.isWhitespace).map { word in
                guard let at = word.firstIndex(of: "@"), at > word.startIndex,
                    word[at...].dropFirst().first?.isLetter ?? false
                else { return String(word) }
                return "email"
            }.joined(separator: " ")
        }

        func has(_ topic: Topic) -> Bool { hits.contains { $0.topic == topic } }

        func hit(_ topic: Topic) -> FoldedText.Hit? { hits.first { $0.topic == topic } }
    }
}
