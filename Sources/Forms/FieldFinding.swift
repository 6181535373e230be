// SPDX-License-Identifier: Apache-2.0

/// The role of one field, and the reason.
package struct FieldFinding: Hashable, Sendable {
    package enum Role: String, CaseIterable, Sendable {
        case username
        /// An address beside the user name, or one whose content type states that it is not the user name.
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
        /// Not visible to the user: never filled.
        case hidden
        case other

        /// The role as text.
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
    /// Begins in lower case, to follow "because".
    package let ground: String

    /// A sentence for users.
    package var sentence: String { "\(field): \(role.title), because \(ground)" }
}
