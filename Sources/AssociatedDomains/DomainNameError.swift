// SPDX-License-Identifier: Apache-2.0

/// Why a text is no domain name.
package enum DomainNameError: Explained, Hashable {
    case empty
    case tooLong(bytes: Int)
    case emptyLabel
    case labelTooLong(String)
    case singleLabel
    case trailingDot
    /// An IPv4 or IPv6 address, in any spelling.
    case addressLiteral
    case scheme
    case userInformation
    case port
    case path
    case wildcard
    /// The suggestion is the same name in A-labels, where that is certain.
    case notASCII(suggestion: String?)
    case invalidCharacter(Unicode.Scalar)
    case hyphenAtEdge(String)
    case invalidALabel(String)

    package var reason: String {
        switch self {
        case .empty: "The domain is empty."
        case .tooLong(let bytes): "The domain has \(bytes) bytes."
        case .emptyLabel: "The domain has an empty label."
        case .labelTooLong(let label): "The label \(label.quoted) has \(label.utf8.count) bytes."
        case .singleLabel: "The domain has only one label."
        case .trailingDot: "The domain ends with a full stop."
        case .addressLiteral: "This is an IP address."
        case .scheme: "This is a URL."
        case .userInformation: "This has a user name before the domain."
        case .port: "This has a port after the domain."
        case .path: "This has a path, query or fragment after the domain."
        case .wildcard: "The domain contains an asterisk."
        case .notASCII: "The domain has letters outside ASCII."
        case .invalidCharacter(let scalar): "A domain cannot contain \(String(scalar).quoted)."
        case .hyphenAtEdge(let label): "The label \(label.quoted) begins or ends with a hyphen."
        case .invalidALabel(let label): "The label \(label.quoted) is not the Punycode of any name."
        }
    }

    package var fix: String {
        switch self {
        case .empty, .singleLabel, .addressLiteral: "Write the site's full name, such as shop.example.com."
        case .tooLong: "A name has \(DomainName.limit) bytes at most."
        case .emptyLabel: "Put one full stop between two labels, and none at either end."
        case .labelTooLong: "A label has at most \(DomainName.labelLimit) bytes."
        case .trailingDot: "Remove the full stop."
        case .scheme, .userInformation, .path: "Write the domain alone, such as shop.example.com."
        case .port: "Remove the port: an association covers the site's default port."
        case .wildcard: "A wildcard is allowed only in an associated domain, as its whole first label: *.example.com."
        case .notASCII(.some(let suggestion)): "Write \(suggestion)."
        case .notASCII(.none): "Write the A-label form, which begins with xn-- (the command idn2 prints it)."
        case .invalidCharacter: "Use letters, digits, hyphens and full stops."
        case .hyphenAtEdge: "Remove the hyphen."
        case .invalidALabel: "Encode the name again (the command idn2 does it)."
        }
    }
}
