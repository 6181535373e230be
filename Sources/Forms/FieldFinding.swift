// SPDX-License-Identifier: Apache-2.0

/// What one field was taken for, and why.
package struct FieldFinding: Hashable, Sendable {
    package enum Role: String, CaseIterable, Sendable {
        case username
        /// An address beside the user name, or one whose content type says that it is no user name.
        case emailAddress
        /// The current password.
        case password
        case newPassword
        /// The new password once more.
        case confirmation
        case oneTimeCode
        case search
        /// A card's number or its code, and what else is hidden without being a password.
        case payment
        /// Not seen by the person: never filled.
        case hidden
        case other

        /// In words.
        package var title: String {
            switch self {
            case .username: "user name"
            case .emailAddress: "e-mail address"
            case .password: "current password"
            case .newPassword: "new password"
            case .confirmation: "new password once more"
            case .oneTimeCode: "one-time code"
            case .search: "search"
            case .payment: "card or account number"
            case .hidden: "hidden"
            case .other: "nothing to fill"
            }
        }
    }

    package let field: String
    package let role: Role
    /// Begins in lower case, to stand after "because".
    package let ground: String

    /// A sentence for people.
    package var sentence: String { "\(field): \(role.title), because \(ground)" }
}
