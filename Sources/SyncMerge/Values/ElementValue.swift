// SPDX-License-Identifier: Apache-2.0

/// One value of a record.
package enum ElementValue: Comparable, Sendable {
    /// With the site and the user for which it was saved: they stay with it when the record is moved.
    case password(SyncSecret, site: String, user: String)
    /// Nil states that from here on there is no code.
    case code(OneTimeCode?)
    case site(String)
    case user(String)
    /// The bytes are the vault's matter.
    case field(String, SyncSecret)
    /// Of a kind that a later version wrote: its number, and its content.
    case unknown(UInt8, SyncSecret)

    package var kind: ElementKind {
        switch self {
        case .password: .password
        case .code: .code
        case .site: .site
        case .user: .user
        case .field(let name, _): .field(name)
        case .unknown(let number, _): .unknown(number)
        }
    }

    /// Whether the sites and the user of its record may follow from it.
    var isOfLogin: Bool {
        switch self {
        case .password, .site, .user: true
        case .code, .field, .unknown: false
        }
    }

    /// What counts for "equal secrets appear once": the password without its site and user, the code without its nonce. Nil for
    /// "no code" and for what has no history.
    package var secret: SyncSecret? {
        switch self {
        case .password(let secret, _, _): secret
        case .code(let code): code?.uri
        case .site, .user, .field, .unknown: nil
        }
    }

    /// Used only between two elements that have the same stamp: any order that every machine computes in the same way.
    package static func < (left: ElementValue, right: ElementValue) -> Bool {
        switch (left, right) {
        case (.password(let one, let site, let user), .password(let other, let otherSite, let otherUser)):
            one == other ? (site, user) < (otherSite, otherUser) : one < other
        case (.code(let one), .code(let other)):
            if let one { other.map { one < $0 } ?? false } else { other != nil }
        case (.site(let one), .site(let other)), (.user(let one), .user(let other)): one < other
        case (.field(let name, let one), .field(let otherName, let other)):
            name == otherName ? one < other : name < otherName
        case (.unknown(let number, let one), .unknown(let otherNumber, let other)):
            number == otherNumber ? one < other : number < otherNumber
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .password: 0
        case .code: 1
        case .site: 2
        case .user: 3
        case .field: 4
        case .unknown: 5
        }
    }
}
