// SPDX-License-Identifier: Apache-2.0

/// The words of a field, text by text: visible text precedes what only the page's author sees.
struct FieldWords {
    /// One text of a field, or of the form around it.
    struct Source {
        let title: String
        let text: FoldedText
        let hits: [FoldedText.Hit]

        /// A visible text without asides: “Password (forgot it?)”.
        init(prose: String, title: String) {
            self.title = title
            text = FoldedText(prose, isProse: true)
            var end = -1
            var hits: [FoldedText.Hit] = []
            for hit in Vocabulary.all.hits(in: text) {
                let isAside = hit.topic == .aside || hit.topic == .lost
                if isAside, hit.start >= end { end = text.clause(around: hit.start).end }
                if hit.start >= end || isAside { hits.append(hit) }
            }
            self.hits = hits
        }

        /// An id or a name.
        init(code: String, title: String, dropping first: Bool = false) {
            self.title = title
            text = FoldedText(code, isProse: false, dropping: first)
            hits = Vocabulary.all.hits(in: text)
        }

        func has(_ topic: Topic) -> Bool { hits.contains { $0.topic == topic } }

        func hit(_ topic: Topic) -> FoldedText.Hit? { hits.first { $0.topic == topic } }
    }

    /// A word that was found, and the text that contains it.
    struct Found {
        let topic: Topic
        let ground: String

        init(_ hit: FoldedText.Hit, in source: Source) {
            topic = hit.topic
            ground = "its \(source.title) contains “\(Vocabulary.all.words[hit.word].written)”"
        }
    }

    /// Label, placeholder, name and id, as far as there are any.
    let sources: [Source]
    private let topics: Set<Topic>
    /// Whether it has visible text: a label or a placeholder.
    let isLabelled: Bool
    /// The name, or else the id, without digits, and the number in it.
    let stem: [UInt8]
    let number: Int?

    /// A field's words, without the first one of its name and id where that is among those `shared` by the form's
    /// fields.
    init(_ field: FormField, shared: Set<String>) {
        var sources: [Source] = []
        if let label = field.label { sources.append(Source(prose: label, title: "label")) }
        if let placeholder = field.placeholder { sources.append(Source(prose: placeholder, title: "placeholder")) }
        for (text, title) in [(field.name, "name"), (field.id, "id")] {
            guard let text, title == "name" || text != field.name else { continue }
            let drops = Self.firstWord(of: text).map(shared.contains) ?? false
            sources.append(Source(code: text, title: title, dropping: drops))
        }
        self.sources = sources
        isLabelled = !(field.label ?? "").isEmpty || !(field.placeholder ?? "").isEmpty
        topics = Set(sources.lazy.flatMap(\.hits).map(\.topic))
        let (digits, others) = (field.name ?? field.id).utf8.reduce(into: ([UInt8](), [UInt8]())) { groups, byte in
            if (48...57).contains(byte) { groups.0.append(byte) } else { groups.1.append(byte) }
        }
        stem = others
        number = digits.count < 4 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }

    /// The first word of an id that has several.
    static func firstWord(of id: String) -> String? {
        let words = FoldedText.words(of: id)
        return words.count > 1 ? words.first : nil
    }

    func has(_ topic: Topic) -> Bool { topics.contains(topic) }

    /// The first of a topic's words that occurs.
    func find(_ topic: Topic) -> Found? {
        guard topics.contains(topic) else { return nil }
        for source in sources {
            if let hit = source.hit(topic) { return Found(hit, in: source) }
        }
        return nil
    }

    /// The topic of the field: in the first of its texts that has one, the first clause that has one. An ambiguous word
    /// counts only where no text has a specific one.
    var subject: Found? {
        if topics.isDisjoint(with: Self.subjects), topics.isDisjoint(with: Self.vague) { return nil }
        for source in sources {
            var best: (rank: Int, hit: FoldedText.Hit)?
            var clause = (end: 0, words: 0)
            for hit in source.hits {
                if hit.start >= clause.end {
                    if let best { return Found(best.hit, in: source) }
                    clause = source.text.clause(around: hit.start)
                }
                guard clause.words < 10, let rank = Self.ranks[hit.topic] else { continue }
                if rank < best?.rank ?? .max { best = (rank, hit) }
            }
            if let best { return Found(best.hit, in: source) }
        }
        for topic in Self.vague {
            if let found = find(topic) { return found }
        }
        return nil
    }

    /// Whether a text names two things, either of which is accepted: “e-mail or user name”. Only a sign-in asks so.
    var offersChoice: Bool {
        sources.contains { source in
            source.has(.email) && (source.has(.username) || source.has(.login) || source.has(.phone))
                || source.has(.username) && source.has(.phone)
        }
    }

    /// Of several in one clause the one that is first here.
    private static let subjects: [Topic] = [
        .trap, .captcha, .securityAnswer, .oneTimeCode, .securityCode, .search, .payment, .personName, .username,
        .email,
        .password, .pin, .login, .phone, .birthday, .organization, .address, .matter,
    ]
    private static let ranks = Dictionary(uniqueKeysWithValues: subjects.enumerated().map { ($1, $0) })
    private static let vague: [Topic] = [.code, .account, .bareName, .bareAddress]
}
