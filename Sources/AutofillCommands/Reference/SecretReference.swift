// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains

/// `autofill://SITE/USER/FIELD`, or `autofill://ID/FIELD`: a field of a saved credential, in a template or in an
/// environment variable. Each element is percent-encoded.
struct SecretReference: Hashable, Sendable {
    static let scheme = "autofill://"

    enum Field: Hashable, Sendable {
        case password, user, code, notes, label
        /// A field of the user's own.
        case custom(String)
    }

    let text: String
    /// A domain or an id.
    let site: String
    /// nil with an id.
    let user: String?
    let field: Field

    init(_ text: String) throws(CommandFailure) {
        self.text = text
        let elements = text.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).percentDecoded }
        let hasID = elements.first??.hasPrefix("crd_") == true
        guard text.hasPrefix(Self.scheme), elements.count == (hasID ? 2 : 3), let site = elements.first ?? nil,
            let name = elements.last ?? nil, !site.isEmpty, !name.isEmpty, let user = elements[1], !user.isEmpty
        else {
            throw CommandFailure(
                .usage, "\(text.quoted) is not a reference",
                fix: "Write autofill://SITE/USER/FIELD, with %2F for a slash in a name; FIELD is password, user, code, "
                    + "notes, label, or a field of yours")
        }
        self.site = site
        self.user = hasID ? nil : user
        field = Field(name)
    }
}

extension SecretReference.Field {
    fileprivate init(_ name: String) {
        self =
            switch name {
            case "password": .password
            case "user": .user
            case "code": .code
            case "notes": .notes
            case "label": .label
            default: .custom(name)
            }
    }
}

extension String {
    /// nil if it has a percent sign without two hexadecimal digits, or is not UTF-8.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(Substring(digits)), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
