// SPDX-License-Identifier: Apache-2.0

/// The words on fields, in one language. Browsers keep such lists too (Chromium's password-form and autofill
/// expressions, Firefox's hints); these are our own.
///
/// Entries are separated by commas. `pin` is a word or several by themselves, however they are separated (`user name`
/// is “username” and “User-Name” too); `regist*` begins a word; `*kennwort*` may be inside of one; `=name` is the whole
/// text. In scripts other than Latin, Greek and Cyrillic an entry may be anywhere, as words are not separated there, or
/// have particles attached to them.
struct LanguageWords: Sendable {
    let entries: [Topic: String]

    init(_ entries: [Topic: String]) { self.entries = entries }

    /// The entries of one topic, as they are written.
    func words(_ topic: Topic) -> [String] {
        // By bytes: iterating over characters costs many times as much, and there are thousands of words.
        (entries[topic] ?? "").utf8.split(separator: UInt8(ascii: ",")).compactMap { entry in
            String(entry.drop { $0 == UInt8(ascii: " ") })
        }
    }
}

/// The words of all languages, in a tree by their folded bytes: a text is scanned once for all of them.
struct Vocabulary: Sendable {
    struct Word: Sendable {
        /// As written.
        let written: String
        let topic: Topic
        let isWhole: Bool
        let mustBegin: Bool
        let mustEnd: Bool
        /// Another that is folded to the same bytes, by its index.
        fileprivate(set) var next = Vocabulary.none
    }

    /// Eight bytes, and without an array of its own: there are some 30,000. References are indices; `none`: there is
    /// none.
    private struct Node {
        var firstChild = Vocabulary.none
        var next = Vocabulary.none
        var firstWord = Vocabulary.none
        let byte: UInt8
    }

    private static let none = UInt16.max

    static let all = Vocabulary(LanguageWords.all)

    private(set) var words: [Word] = []
    private var nodes: [Node] = []
    private var roots = [UInt16](repeating: none, count: 256)

    private init(_ languages: [LanguageWords]) {
        words.reserveCapacity(8_192)
        nodes.reserveCapacity(32_768)
        for language in languages {
            for topic in Topic.allCases {
                for entry in language.words(topic) { add(entry, topic) }
            }
        }
    }

    private mutating func add(_ entry: String, _ topic: Topic) {
        let (star, equals) = (UInt8(ascii: "*"), UInt8(ascii: "="))
        let written = String(Substring(entry.utf8.drop { $0 == star || $0 == equals }.prefix { $0 != star }))
        guard let first = written.unicodeScalars.first else { return }
        let isParted = first.value < 0x590
        let index = UInt16(words.count)
        words.append(
            Word(
                written: written, topic: topic, isWhole: entry.utf8.first == equals,
                mustBegin: isParted && entry.utf8.first != star, mustEnd: isParted && entry.utf8.last != star))
        var node = Self.none
        for byte in FoldedText(written, isProse: false).bytes { node = child(of: node, byte) ?? grow(node, byte) }
        var last = nodes[Int(node)].firstWord
        guard last != Self.none else { return nodes[Int(node)].firstWord = index }
        while words[Int(last)].next != Self.none { last = words[Int(last)].next }
        words[Int(last)].next = index
    }

    /// - Parameter node: `none` for the root.
    private func child(of node: UInt16, _ byte: UInt8) -> UInt16? {
        var child = node == Self.none ? roots[Int(byte)] : nodes[Int(node)].firstChild
        while child != Self.none, nodes[Int(child)].byte != byte { child = nodes[Int(child)].next }
        return child == Self.none ? nil : child
    }

    private mutating func grow(_ node: UInt16, _ byte: UInt8) -> UInt16 {
        var new = Node(byte: byte)
        let index = UInt16(nodes.count)
        if node == Self.none {
            roots[Int(byte)] = index
        } else {
            new.next = nodes[Int(node)].firstChild
            nodes[Int(node)].firstChild = index
        }
        nodes.append(new)
        return index
    }

    /// The words that occur in a text, the ones that begin first before the others, without those that a longer one
    /// covers.
    func hits(in text: FoldedText) -> [FoldedText.Hit] {
        var hits: [FoldedText.Hit] = []
        // By layer, where the words end that were found.
        var covered = [Int](repeating: 0, count: Topic.layers)
        var longest = covered
        for start in text.bytes.indices where text.bytes[start] & 0xC0 != 0x80 {
            let former = hits.count
            var (node, end) = (Self.none, start)
            while end < text.bytes.count, let next = child(of: node, text.bytes[end]) {
                (node, end) = (next, end + 1)
                var index = nodes[Int(node)].firstWord
                while index != Self.none {
                    let (word, position) = (words[Int(index)], Int(index))
                    index = word.next
                    guard matches(word, start, end, text), end > covered[word.topic.layer] else { continue }
                    hits.append(FoldedText.Hit(word: position, topic: word.topic, start: start, end: end))
                    longest[word.topic.layer] = end
                }
            }
            if hits.count > former + 1 {
                let longestOnes = hits[former...].filter { $0.end == longest[$0.topic.layer] }
                hits.replaceSubrange(former..., with: longestOnes)
            }
            covered = longest
        }
        return hits
    }

    private func matches(_ word: Word, _ start: Int, _ end: Int, _ text: FoldedText) -> Bool {
        if word.isWhole { return start == 0 && end == text.bytes.count }
        return (!word.mustBegin || text.begins[start]) && (!word.mustEnd || text.begins[end])
    }
}
