// SPDX-License-Identifier: Apache-2.0

/// Which field is the user's name: the one that is declared so, else the likeliest field of text before the password,
/// as in Firefox and Chromium.
extension FormReading {
    mutating func findUsername() {
        let password = fields.indices.first { isPasswordRole($0) }
        let stated = fields.indices.filter { role($0) == .username }
        if let first = stated.first {
            username = stated.last { $0 < password ?? 0 } ?? first
        } else if let address = statedAddress {
            give(.username, to: address, "\(fields[address].ground), and no other field is the user name")
            username = address
        } else if let found = likeliest(password) {
            give(.username, to: found.index, found.ground)
            username = found.index
        }
        nameOthers(password)
    }

    private func isPasswordRole(_ index: Int) -> Bool {
        [.password, .newPassword, .confirmation].contains(role(index))
    }

    /// The web has one word for both: an address that only `autocomplete` names is the user name, unless another field
    /// is likelier to be one.
    private var statedAddress: Int? {
        guard !fields.indices.contains(where: { role($0) == .other && likelihood($0) ?? 0 > 3 }) else { return nil }
        return fields.indices.first { role($0) == .emailAddress && fields[$0].field.contentType == nil }
    }

    private func likeliest(_ password: Int?) -> (index: Int, ground: String)? {
        let open = fields.indices.filter { role($0) == .other && likelihood($0) != nil }
        let before = open.filter { $0 < password ?? fields.endIndex }
        if let best = before.max(by: { rank($0) < rank($1) }),
            let likelihood = likelihood(best), likelihood > 1, password != nil || mayBeAlone(best)
        {
            return (best, fields[best].ground)
        }
        guard let password else { return nil }
        if let last = before.last, isBeside(last, password) {
            return (last, "\(fields[last].ground) right before the password")
        }
        if let after = open.first(where: { likelihood($0) ?? 0 > 2 }) { return (after, fields[after].ground) }
        return soleName(password)
    }

    /// A field with the visible label “name” after one that is also labelled as a user name; then the first one counts.
    private func rank(_ index: Int) -> (Int, Int, Int) {
        (likelihood(index) ?? 0, fields[index].words.isShown(.bareName) ? 0 : 1, -index)
    }

    /// Without a password an address is one anywhere; what else is called a user name only where little else is asked
    /// for.
    private func mayBeAlone(_ index: Int) -> Bool {
        guard let likelihood = likelihood(index), likelihood > 2 else { return false }
        if likelihood == 3 || fields[index].field.type == "email" || isFewFields { return true }
        let topic = fields[index].words.subject?.topic
        return (topic == .username || topic == .alias) && !fields.indices.contains { role($0) == .payment }
    }

    private var isFewFields: Bool {
        fields.count { reading in
            switch reading.purpose {
            case .text, .stated, .apart(mayIdentify: true), .payment: true
            default: false
            }
        } < 4
    }

    /// Only invisible fields may be between, and a code that is sent to it.
    private func isBeside(_ index: Int, _ password: Int) -> Bool {
        fields.indices[(index + 1)..<password].allSatisfy { [.hidden, .other, .oneTimeCode].contains(role($0)) }
    }

    /// The one field to type in beside the current password, whatever it is called: a card's number signs in at a bank.
    private func soleName(_ password: Int) -> (index: Int, ground: String)? {
        let candidates = fields.indices.filter { index in
            // The purpose that the app states for a field applies.
            guard index < password, fields[index].field.contentType == nil else { return false }
            return switch fields[index].purpose {
            case .apart(let mayIdentify): mayIdentify
            case .payment, .code: true
            default: false
            }
        }
        guard candidates.count == 1, role(password) == .password else { return nil }
        return (candidates[0], "\(fields[candidates[0]].ground), and it is the only field beside the password")
    }

    /// Whether a password precedes a field and another directly follows it: a sign-in and a sign-up on one page.
    private func beginsSecondForm(_ index: Int) -> Bool {
        let next = fields.indices[(index + 1)...].first { role($0) != .hidden }
        return next.map(isPasswordRole) ?? false && fields.indices[..<index].contains(where: isPasswordRole)
    }

    /// Whether a field has the user name's name with another number: `email2`. A name that says nothing, such as
    /// `field2`, may be of any other.
    private func isNamedAs(_ username: Int, _ index: Int) -> Bool {
        let (words, other) = (fields[username].words, fields[index].words)
        return words.stem == other.stem && [.username, .email, .login, .account].contains(where: words.isNamed)
    }

    /// Text without visible words between the user's name and the password: it is shown instead of the name.
    private func isBetween(_ index: Int, _ password: Int?) -> Bool {
        guard let username, let password, username < index, index < password else { return false }
        return likelihood(index) == 0 && !fields[index].words.isLabelled
    }

    /// The remaining fields that accept an e-mail address, are called a user name, or are at the position of one.
    private mutating func nameOthers(_ password: Int?) {
        if let password, let last = fields.indices[..<password].last(where: { role($0) != .hidden }),
            role(last) == .other, likelihood(last) == 0, username == nil || !fields[last].words.isLabelled
        {
            give(.username, to: last, "\(fields[last].ground) right before the password")
        }
        for index in fields.indices where role(index) == .other {
            if let username, likelihood(index) ?? 0 > 0, isNamedAs(username, index) {
                give(.username, to: index, "it is named as the field for the user name")
                continue
            }
            switch likelihood(index) {
            case 0 where isBetween(index, password):
                give(.username, to: index, "\(fields[index].ground) between the user name and the password")
            case 3: give(.emailAddress, to: index, fields[index].ground)
            case 4 where password != nil && (!fields[index].words.isShown(.bareName) || beginsSecondForm(index)):
                give(.username, to: index, fields[index].ground)
            default: break
            }
        }
    }
}
