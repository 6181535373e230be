// SPDX-License-Identifier: Apache-2.0

extension FieldReading {
    /// What the form's other fields ask for.
    struct Others {
        let haveCard: Bool
        /// One for an e-mail address and nothing else, or one that is called a user name and not a nickname.
        let haveName: Bool

        init(_ fields: [FormField], _ words: [FieldWords]) {
            let seen = zip(fields, words).filter { !$0.0.isHidden }
            haveCard = seen.contains { field, words in
                field.autocomplete.contains { $0.hasPrefix("cc-") } || words.subject?.topic == .payment
            }
            haveName = seen.contains { field, words in
                field.contentType == nil
                    && (asksAddress(field, words) || words.subject?.topic == .username && !words.has(.alias))
            }
        }
    }

    /// Whether it is for an e-mail address and nothing else.
    var asksAddress: Bool { isSeen && Self.asksAddress(field, words) }

    fileprivate static func asksAddress(_ field: FormField, _ words: FieldWords) -> Bool {
        guard !isPassword(field), !words.offersChoice, words.trap == nil, !passiveTypes.contains(field.type ?? "")
        else {
            return false
        }
        return field.type == "email" || field.keyboardType == .emailAddress
            || field.autocomplete.contains("email") || words.subject?.topic == .email
    }

    /// Whether it is for a telephone number and nothing else.
    var asksPhone: Bool {
        if case .text(likelihood: 1) = purpose { words.subject?.topic == .phone && !words.offersChoice } else { false }
    }
}
