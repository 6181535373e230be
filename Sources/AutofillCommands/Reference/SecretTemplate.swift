// SPDX-License-Identifier: Apache-2.0

/// A text with references: `{{ autofill://SITE/USER/FIELD }}`.
struct SecretTemplate {
    enum Element: Equatable {
        case text([UInt8])
        case reference(SecretReference)
    }

    let elements: [Element]

    var hasReferences: Bool { elements.contains { if case .reference = $0 { true } else { false } } }

    /// Other text in double braces is left as it is.
    init(_ bytes: [UInt8]) throws(CommandFailure) {
        var elements: [Element] = []
        var text: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            guard let inner = Self.reference(at: rest) else {
                text.append(byte)
                rest.removeFirst()
                continue
            }
            guard let end = inner.firstIndex(of: UInt8(ascii: "}")), inner[end...].starts(with: Self.closing) else {
                let line = Self.line(of: rest.startIndex, in: bytes)
                throw CommandFailure(.badData, "Line \(line): a reference has no end", fix: "Write }} after it")
            }
            do throws(CommandFailure) {
                let content = inner[..<end].trimmed
                elements += text.isEmpty ? [] : [.text(text)]
                elements.append(.reference(try SecretReference(String(decoding: content, as: UTF8.self))))
            } catch {
                let line = Self.line(of: rest.startIndex, in: bytes)
                throw CommandFailure(
                    .badData,
                    error.problems.map { .init(code: $0.code, message: "Line \(line): \($0.message)", fix: $0.fix) })
            }
            text = []
            rest = inner[end...].dropFirst(2)
        }
        self.elements = elements + (text.isEmpty ? [] : [.text(text)])
    }

    /// The number of the line that a byte is in.
    private static func line(of index: Int, in bytes: [UInt8]) -> Int {
        bytes[..<index].count { $0 == UInt8(ascii: "\n") } + 1
    }

    private static let opening = Array("{{".utf8)
    private static let closing = Array("}}".utf8)

    /// The text behind the braces that begin a reference here; nil if none begins here.
    private static func reference(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: opening) else { return nil }
        let inner = text.dropFirst(2)
        return inner.drop { $0 == UInt8(ascii: " ") }.starts(with: SecretReference.scheme.utf8) ? inner : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: Self {
        var rest = drop { $0 == UInt8(ascii: " ") }
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return rest
    }
}
