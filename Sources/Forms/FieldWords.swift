// SPDX-License-Identifier: Apache-2.0

/// The words of a field, text by text: visible text precedes what only the page's author sees.
struct FieldWords {
    /// A word that was found, and the text that contains it.
    struct Found {
        let topic: Topic
        /// As the vocabulary has it.
        let written: String
        let ground: String

        init(_ hit: FoldedText.Hit, in source: Source) {
            topic = hit.topic
            written = Vocabulary.all.words[hit.word].written
            ground = "its \(source.title) contains “\(written)”"
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

    /// A field's words, without those that its name and id begin with where they are `shared` by the form's fields.
    init(_ field: FormField, shared: [[String]]) {
        var sources: [Source] = []
        if let label = field.label { sources.append(Source(prose: label, title: "label")) }
        if let placeholder = field.placeholder { sources.append(Source(prose: placeholder, title: "placeholder")) }
        for (text, title) in [(field.name, "name"), (field.id, "id")] {
            guard let text, title == "name" || text != field.name else { continue }
            let words = shared.isEmpty ? [] : FoldedText.words(of: text)
            let prefix = shared.first { $0.count < words.count && words.starts(with: $0) }
            sources.append(Source(code: text, title: title, dropping: prefix?.count ?? 0))
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

    func has(_ topic: Topic) -> Bool { topics.contains(topic) }

    /// Whether its visible text has words on a topic.
    func isShown(_ topic: Topic) -> Bool { sources.contains { !$0.isCode && $0.has(topic) } }

    /// Whether its name or id has words on a topic.
    func isNamed(_ topic: Topic) -> Bool { sources.contains { $0.isCode && $0.has(topic) } }

    /// The first of a topic's words that occurs.
    func find(_ topic: Topic) -> Found? {
        guard topics.contains(topic) else { return nil }
        for source in sources {
            if let hit = source.hit(topic) { return Found(hit, in: source) }
        }
        return nil
    }

    /// A word of a new account, in a text that has none of a sign-in: `regSignIn` is of both.
    var signUp: Found? {
        for source in sources where !source.has(.signIn) {
            if let hit = source.hit(.signUp) { return Found(hit, in: source) }
        }
        return nil
    }

    /// A word that says that only robots fill the field. `hp` is none where the field is for a telephone.
    var trap: Found? {
        for source in sources {
            if let hit = source.hit(.trap), hit.end - hit.start > 2 || !has(.phone) { return Found(hit, in: source) }
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
            // `login_email` is the e-mail address of a sign-in.
            let names = [Topic.username, .alias, .phone, .login].prefix(source.isCode ? 3 : 4).filter(source.has)
            return source.has(.email) && !names.isEmpty
                || names.contains(.phone) && (names.contains(.username) || names.contains(.alias))
        }
    }

    /// Of several in one clause the one that is first here.
    private static let subjects: [Topic] = [
        .trap, .captcha, .securityAnswer, .oneTimeCode, .securityCode, .search, .payment, .personName, .username,
        .alias, .email, .password, .pin, .login, .phone, .birthday, .organization, .address, .matter,
    ]
    private static let ranks = Dictionary(uniqueKeysWithValues: subjects.enumerated().map { ($1, $0) })
    private static let vague: [Topic] = [.code, .account, .bareName, .bareAddress]
}
