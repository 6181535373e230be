// SPDX-License-Identifier: Apache-2.0

/// What a word of a field, or of the text around a form, speaks of.
enum Topic: UInt8, CaseIterable, Sendable {
    // What a field asks for.
    case password
    /// A number in a password's place, on cards too.
    case pin
    case oneTimeCode, email, phone, search, captcha, trap
    /// A name that one signs in with, in so many words: “user name”, “customer number”.
    case username
    /// “Login”, which also stands before what is none: “login company”.
    case login
    /// What may be such a name, and often is something else: “user”, “account”, “ID”.
    case account
    /// A code of no said kind.
    case code
    /// “Security code”: on a card, or sent.
    case securityCode
    /// A card, a bank account, a number of the state, and their holder's name.
    case payment
    case personName
    /// “Name” and nothing else: whose, the form tells.
    case bareName
    case birthday, organization, address
    /// “Address” and nothing else: a street's or one for e-mail.
    case bareAddress
    /// The question that is asked when the password is lost, and its answer.
    case securityAnswer
    /// Anything else that people are asked for: coupons, comments, titles.
    case matter

    // What is said of a password.
    case new, current, confirmation
    /// How it has to be made: “at least 8 characters”.
    case strength

    // What is said of a form.
    case signUp, signIn, remember, terms
    /// “Change your password”, “reset”.
    case passwordChange

    /// “Forgot your …?” and “not your …”: what follows is not what the field asks for.
    case lost, aside

    /// What its words speak of. Those of one layer cover shorter ones of the same layer only: “zip code” speaks of no code,
    /// “repeat password” of a password.
    var layer: Int {
        switch self {
        case .new, .current, .confirmation, .strength: 1
        case .signUp, .signIn, .remember, .terms, .passwordChange, .lost, .aside: 2
        default: 0
        }
    }

    static let layers = 3
}
