// SPDX-License-Identifier: Apache-2.0

/// The evidence in the words around a form.
struct ContextWords {
    private let sources: [(source: FieldWords.Source, weight: Int)]

    init(_ context: FormContext) {
        var sources: [(FieldWords.Source, Int)] = []
        if let heading = context.heading { sources.append((.init(prose: heading, title: "heading"), 6)) }
        for label in context.submitLabels { sources.append((.init(prose: label, title: "button"), 6)) }
        if let action = context.action {
            sources.append((.init(code: Self.path(of: action), title: "address"), 4))
        }
        self.sources = sources
    }

    /// The path of an address, without host, query and fragment.
    private static func path(of action: String) -> String {
        var rest = action.prefix { $0 != "?" && $0 != "#" }
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            rest = rest[colon...].dropFirst(3).drop { $0 != "/" }
        }
        return String(rest)
    }

    /// The first word on one of the topics, and the text that contains it.
    func first(of topics: Set<Topic>) -> (ground: String, weight: Int)? {
        for (source, weight) in sources {
            if let hit = source.hits.first(where: { topics.contains($0.topic) }) {
                return ("the form's \(source.title) contains “\(Vocabulary.all.words[hit.word].written)”", weight)
            }
        }
        return nil
    }

    /// The evidence of each text that concerns one of two topics and not the other.
    func votes(for topic: Topic, against other: Topic) -> [(weight: Int, ground: String)] {
        sources.compactMap { source, weight in
            guard let hit = source.hit(topic), !source.has(other) else { return nil }
            return (weight, "the form's \(source.title) contains “\(Vocabulary.all.words[hit.word].written)”")
        }
    }
}
