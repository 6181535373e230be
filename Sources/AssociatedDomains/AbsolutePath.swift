// SPDX-License-Identifier: Apache-2.0

/// A path from the root, in its only spelling: no `.` or `..`, no empty component, no slash at the end. Whether it
/// exists, and whether it contains a link, is not checked.
package struct AbsolutePath: Hashable, Sendable, CustomStringConvertible {
    /// Bytes: Linux's PATH_MAX without the closing NUL.
    package static let limit = 4095

    package let text: String

    package init(_ text: String) throws(AbsolutePathError) {
        guard text.utf8.first == UInt8(ascii: "/") else { throw .notAbsolute }
        guard text.utf8.count <= Self.limit else { throw .tooLong(bytes: text.utf8.count) }
        if let wrong = text.unicodeScalars.first(where: { !$0.isVisible }) { throw .invalidCharacter(wrong) }
        for component in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard !component.isEmpty, component != ".", component != ".." else { throw .notNormal }
        }
        self.text = text
    }

    package var description: String { text }
}

/// Why a text is no absolute path.
package enum AbsolutePathError: Explained, Hashable {
    case notAbsolute
    case tooLong(bytes: Int)
    case invalidCharacter(Unicode.Scalar)
    case notNormal

    package var reason: String {
        switch self {
        case .notAbsolute: "The path does not begin with a slash."
        case .tooLong(let bytes): "The path has \(bytes) bytes."
        case .invalidCharacter(let scalar): "A path here cannot contain \(String(scalar).quoted)."
        case .notNormal: "The path has an empty component, . or .. in it, or a slash at its end."
        }
    }

    package var fix: String {
        switch self {
        case .notAbsolute: "Write the whole path, such as /usr/bin/example-shop."
        case .tooLong: "Keep it to \(AbsolutePath.limit) bytes at most."
        case .invalidCharacter: "Use a path of visible characters."
        case .notNormal: "Write the path that realpath prints."
        }
    }
}
