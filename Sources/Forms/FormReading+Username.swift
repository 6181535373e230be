// SPDX-License-Identifier: Apache-2.0

/// Which field is the user's name: the one that says so, else the likeliest field of text before the password, as in
/// Firefox and Chromium.
extension FormReading {
    mutating func findUsername() {
        guard !fields.indices.contains(where: { role($0) == .username }) else { return nameAddresses() }
        // The web has one word for both: an address that only `autocomplete` names is the user name.
        if let address = fields.indices.first(where: {
            role($0) == .emailAddress && fields[$0].field.contentType == nil
        }), !hasLikelierName {
            give(.username, to: address, "\(fields[address].ground), and no other field is the user name")
            return
        }
        let password = fields.indices.first { index in
            switch role(index) {
            case .password, .newPassword, .confirmation: true
            default: false
            }
        }
        let candidates = fields.indices.filter { role($0) == .other && likelihood($0) != nil }
        let before = candidates.filter { $0 < password ?? fields.endIndex }
        let best = before.max { (likelihood($0) ?? 0, -$0) < (likelihood($1) ?? 0, -$1) }
        if let best, let likelihood = likelihood(best), likelihood > 1 {
            give(.username, to: best, fields[best].ground)
        } else if let password, let last = before.last, isBeside(last, password) {
            give(.username, to: last, "\(fields[last].ground) right before the password")
        } else if let after = candidates.first(where: { likelihood($0) ?? 0 > 2 }), password != nil {
            give(.username, to: after, fields[after].ground)
        }
        nameAddresses()
    }

    private func likelihood(_ index: Int) -> Int? {
        if case .text(let likelihood) = fields[index].look { likelihood } else { nil }
    }

    /// Whether a field that is left looks more like a user name than an e-mail address does, which has 3.
    private var hasLikelierName: Bool {
        fields.indices.contains { role($0) == .other && likelihood($0) ?? 0 > 3 }
    }

    /// Only what nobody sees may stand between.
    private func isBeside(_ index: Int, _ password: Int) -> Bool {
        fields.indices[(index + 1)..<password].allSatisfy { role($0) == .hidden || role($0) == .other }
    }

    /// What is left that takes an e-mail address.
    private mutating func nameAddresses() {
        for index in fields.indices where role(index) == .other && likelihood(index) == 3 {
            give(.emailAddress, to: index, fields[index].ground)
        }
    }
}
