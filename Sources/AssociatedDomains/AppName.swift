// SPDX-License-Identifier: Apache-2.0

/// The name that a prompt shows for an app. Whatever could forge a line of the prompt is refused here already.
package struct AppName: Hashable, Sendable, CustomStringConvertible {
    /// Unicode scalars.
    package static let limit = 64

    package let text: String

    /// Visible scalars and plain spaces, the spaces neither first nor last.
    package init(_ text: String) throws(AppNameError) {
        guard !text.isEmpty else { throw .empty }
        let scalars = text.unicodeScalars
        guard scalars.count <= Self.limit else { throw .tooLong(scalars: scalars.count) }
        if let wrong = scalars.first(where: { !$0.isVisible }) { throw .invalidCharacter(wrong) }
        guard scalars.first != " ", scalars.last != " " else { throw .spaceAtEdge }
        self.text = text
    }

    package var description: String { text }
}

/// Why a text is no app's name.
package enum AppNameError: Explained, Hashable {
    case empty
    case tooLong(scalars: Int)
    case invalidCharacter(Unicode.Scalar)
    case spaceAtEdge

    package var reason: String {
        switch self {
        case .empty: "The name is empty."
        case .tooLong(let scalars): "The name has \(scalars) characters."
        case .invalidCharacter(let scalar): "A name cannot contain \(String(scalar).quoted)."
        case .spaceAtEdge: "The name begins or ends with a space."
        }
    }

    package var fix: String {
        switch self {
        case .empty: "Write the app's name as users see it."
        case .tooLong: "Keep it to \(AppName.limit) characters at most."
        case .invalidCharacter: "Use visible characters and plain spaces, on one line."
        case .spaceAtEdge: "Remove the space."
        }
    }
}
