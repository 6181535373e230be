// SPDX-License-Identifier: Apache-2.0

/// An app's name in reverse-DNS form, `org.example.Shop`: a Flatpak ID and a desktop-file ID are one. Upper and lower
/// case differ, as they do in file names.
package struct BundleIdentifier: Hashable, Sendable {
    /// Bytes, as Flatpak and D-Bus have it.
    package static let limit = 255
    /// Names that no registration or greeting may use, in lower case: they are refused in any case.
    package static let reservedPrefixes = ["org.autofilld.", "com.apple.", "org.freedesktop.secrets."] + madePrefixes
    /// Prefixes of the names that the daemon makes for programs without a registration.
    package static let madePrefixes = ["program.", "script."]

    package let text: String

    /// Two or more labels of `A-Z a-z 0-9 _ -`, separated by full stops; not reserved, unless `allowingReserved` (for the
    /// programs of this package).
    package init(_ text: String, allowingReserved: Bool = false) throws(BundleIdentifierError) {
        let bytes = text.utf8
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.limit else { throw .tooLong(bytes: bytes.count) }
        if let wrong = text.unicodeScalars.first(where: { !$0.isBundleIdentifierScalar }) {
            throw .invalidCharacter(wrong)
        }
        guard bytes.first != UInt8(ascii: "-") else { throw .leadingHyphen }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }) else { throw .emptyLabel }
        guard labels.count >= 2 else { throw .singleLabel }
        if !allowingReserved, let prefix = Self.reservedPrefix(of: text) { throw .reserved(prefix: prefix) }
        self.text = text
    }

    /// Whether it is a name that the daemon makes for a program, or that of the group in which such programs store
    /// their secrets: no app owns it, and the user may name it.
    package static func isOfSecretService(_ text: String) -> Bool {
        madePrefixes.contains { text.hasPrefix($0) } || text == "org.freedesktop.secrets"
    }

    private static func reservedPrefix(of text: String) -> String? {
        let whole = text.lowercased() + "."
        return reservedPrefixes.first { whole.hasPrefix($0) }
    }
}

extension BundleIdentifier: Comparable, CustomStringConvertible {
    package static func < (left: BundleIdentifier, right: BundleIdentifier) -> Bool { left.text < right.text }

    package var description: String { text }
}

/// Why a text is no bundle ID.
package enum BundleIdentifierError: Explained, Hashable {
    case empty
    case tooLong(bytes: Int)
    case invalidCharacter(Unicode.Scalar)
    case leadingHyphen
    case emptyLabel
    case singleLabel
    case reserved(prefix: String)

    package var reason: String {
        switch self {
        case .empty: "The bundle ID is empty."
        case .tooLong(let bytes): "The bundle ID has \(bytes) bytes."
        case .invalidCharacter(let scalar): "A bundle ID cannot contain \(String(scalar).quoted)."
        case .leadingHyphen: "A bundle ID cannot begin with a hyphen."
        case .emptyLabel: "The bundle ID has an empty component."
        case .singleLabel: "The bundle ID has only one component."
        case .reserved(let prefix): "Bundle IDs that begin with \(prefix.quoted) are reserved."
        }
    }

    package var fix: String {
        switch self {
        case .empty, .leadingHyphen, .singleLabel: "Write it in reverse-DNS form, such as org.example.Shop."
        case .tooLong: "Keep it to \(BundleIdentifier.limit) bytes at most."
        case .invalidCharacter: "Use letters A to Z and a to z, digits, hyphens, underscores and full stops."
        case .emptyLabel: "Put one full stop between two components, and none at either end."
        case .reserved: "Use a name under a domain of your own, such as org.example.Shop."
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isBundleIdentifierScalar: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}
