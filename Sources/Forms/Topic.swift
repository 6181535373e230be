// SPDX-License-Identifier: Apache-2.0

/// The topic of a word of a field, or of the text around a form.
enum Topic: UInt8, CaseIterable, Sendable {
    // What a field asks for.
    case password
    /// A number instead of a password, on cards too.
    case pin
    case oneTimeCode, email, phone, search, captcha, trap
    /// A name that one signs in with, stated exactly: “user name”, “customer number”.
    case username
    /// What one signs in with only where neither a user name nor an e-mail address is asked for: a nickname, the number
    /// of a member or a customer.
    case alias
    /// “Login”, which also occurs in other names: “login company”.
    case login
    /// A word that may mean such a name, and often means something else: “user”, “account”, “ID”.
    case account
    /// A code of an unspecified kind.
    case code
    /// “Security code”: on a card, or sent.
    case securityCode
    /// A card, a bank account, a number of the state, and their holder's name.
    case payment
    case personName
    /// “Name” and nothing else: the form determines whose.
    case bareName
    case birthday, organization, address
    /// “Address” and nothing else: a street's or one for e-mail.
    case bareAddress
    /// The question that is asked when the password is lost, and its answer.
    case securityAnswer
    /// Other fields: coupons, comments, titles.
    case matter

    // Attributes of a password.
    case new, current, confirmation
    /// Its requirements: “at least 8 characters”.
    case strength

    // Attributes of a form.
    case signUp, signIn, remember, terms
    /// “Change your password”, “reset”.
    case passwordChange

    /// “Forgot your …?” and “not your …”: what follows is not what the field asks for.
    case lost, aside

    /// The topic of its words. Those of one layer cover shorter ones of the same layer only: “zip code” is not about a
    /// code, “repeat password” is about a password.
    var layer: Int {
        switch self {
        case .new, .current, .confirmation, .strength: 1
        case .signUp, .signIn, .remember, .terms, .passwordChange, .lost, .aside: 2
        default: 0
        }
    }

    static let layers = 3
}
