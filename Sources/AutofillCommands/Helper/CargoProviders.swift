// SPDX-License-Identifier: Apache-2.0

/// The list of credential providers in a config.toml (the Cargo Book, "registry.global-credential-providers"): cargo
/// tries the last one first.
struct CargoProviders {
    static let helper = "cargo-credential-autofill"
    private static let key = "registry.global-credential-providers"
    /// Tokens in cargo's own file stay valid.
    private static let line = "global-credential-providers = [\"cargo:token\", \"\(helper)\"]\n"

    private let text: TOMLText
    private let entry: TOMLText.Entry?

    init(_ text: String) {
        self.text = TOMLText(text)
        entry = self.text.entries.last { $0.key == Self.key }
    }

    private var names: [(text: String, range: Range<Int>)]? { entry.flatMap { text.strings(of: $0) } }

    var hasHelper: Bool { names?.contains { $0.text == Self.helper } ?? false }

    /// The text with the helper as the last of them; nil if the list has a form that is not edited here.
    func adding() -> String? {
        if let entry {
            guard let names else { return nil }
            guard let last = names.last else { return replacing(entry.value, with: "[\"\(Self.helper)\"]") }
            return replacing(last.range.upperBound..<last.range.upperBound, with: ", \"\(Self.helper)\"")
        }
        if let table = text.tables.first(where: { $0.name == "registry" }) {
            let isLineEnd = table.end > 0 && text.bytes[table.end - 1] == 0x0A
            return replacing(table.end..<table.end, with: (isLineEnd ? "" : "\n") + Self.line)
        }
        // A dotted key or an inline table of that name: TOML forbids a second table with the same name.
        guard !text.entries.contains(where: { $0.key == "registry" || $0.key.hasPrefix("registry.") }) else {
            return nil
        }
        let isLineEnd = text.bytes.isEmpty || text.bytes.last == 0x0A
        let gap = text.bytes.isEmpty ? "" : isLineEnd ? "\n" : "\n\n"
        return replacing(text.bytes.count..<text.bytes.count, with: "\(gap)[registry]\n\(Self.line)")
    }

    /// The text without the helper; a line that `adding` wrote itself is removed completely.
    func removing() -> String {
        guard let names, let index = names.firstIndex(where: { $0.text == Self.helper }) else {
            return String(decoding: text.bytes, as: UTF8.self)
        }
        let whole = String(decoding: text.bytes, as: UTF8.self)
        for added in ["\n[registry]\n\(Self.line)", "[registry]\n\(Self.line)", Self.line] {
            if whole.hasSuffix(added) { return String(whole.dropLast(added.count)) }
            if added == Self.line, let range = whole.firstRange(of: "\n" + added) {
                return whole[..<range.lowerBound] + "\n" + whole[range.upperBound...]
            }
        }
        let range =
            index > 0
            ? names[index - 1].range.upperBound..<names[index].range.upperBound
            : names[index].range
                .lowerBound..<(names.count > 1 ? names[1].range.lowerBound : names[index].range.upperBound)
        return replacing(range, with: "")
    }

    private func replacing(_ range: Range<Int>, with added: String) -> String {
        String(
            decoding: text.bytes[..<range.lowerBound] + Array(added.utf8) + text.bytes[range.upperBound...],
            as: UTF8.self)
    }
}
