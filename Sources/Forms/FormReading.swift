// SPDX-License-Identifier: Apache-2.0

/// A form while it is read: the fields' own looks, and the roles they are given.
struct FormReading {
    private(set) var fields: [FieldReading]
    private var roles: [(role: FieldFinding.Role, ground: String)]

    init(_ described: [FormField]) {
        let words = described.map { FieldWords($0) }
        let amongCards = zip(described, words).contains { field, words in
            field.autocomplete.contains { $0.hasPrefix("cc-") } || words.find(.card) != nil
        }
        fields = zip(described, words).map { FieldReading($0, $1, amongCards: amongCards) }
        roles = fields.map { reading in
            switch reading.look {
            case .stated(.username): (.username, reading.ground)
            case .stated(.emailAddress): (.emailAddress, reading.ground)
            case .stated(.password): (.password, reading.ground)
            case .stated(.newPassword): (.newPassword, reading.ground)
            case .stated(.oneTimeCode), .oneTimeCode: (.oneTimeCode, reading.ground)
            case .search: (.search, reading.ground)
            case .payment: (.payment, reading.ground)
            case .hidden: (.hidden, reading.ground)
            case .password, .text, .apart: (.other, reading.ground)
            }
        }
        findSplitCode()
    }

    var findings: [FieldFinding] {
        zip(fields, roles).map { FieldFinding(field: $0.field.id, role: $1.role, ground: $1.ground) }
    }

    func role(_ index: Int) -> FieldFinding.Role { roles[index].role }

    mutating func give(_ role: FieldFinding.Role, to index: Int, _ ground: String) { roles[index] = (role, ground) }

    /// Fields in a row that take one character each are one code.
    private mutating func findSplitCode() {
        var start = 0
        while start < fields.count {
            var end = start
            while end < fields.count, takesOneCharacter(end) { end += 1 }
            if (4...8).contains(end - start) {
                for index in start..<end where roles[index].role != .oneTimeCode {
                    give(.oneTimeCode, to: index, "it is one of \(end - start) fields of one character each")
                }
            }
            start = max(end, start + 1)
        }
    }

    private func takesOneCharacter(_ index: Int) -> Bool {
        guard fields[index].field.maximumLength == 1 else { return false }
        switch fields[index].look {
        case .stated(.oneTimeCode), .oneTimeCode, .password, .text: return true
        case .stated, .search, .payment, .apart, .hidden: return false
        }
    }

    /// The kind that follows from the roles, and why.
    var kind: (FormAnalysis.Kind, ground: String) {
        let has = { (role: FieldFinding.Role) in roles.contains { $0.role == role } }
        switch (has(.newPassword), has(.password)) {
        case (true, true): return (.changePassword, "it asks for the current password and a new one")
        case (true, false): return (.signUp, "it asks for a new password and not for a current one")
        case (false, true):
            return (.signIn, has(.username) ? "it asks for a user name and a password" : "it asks for a password only")
        case (false, false): break
        }
        if has(.oneTimeCode) { return (.oneTimeCode, "it asks for a code and no password") }
        if let name = roles.indices.first(where: { roles[$0].role == .username }), isLikelyFirstPage(name) {
            return (.signIn, "it asks for a user name only: the password follows on another page")
        }
        return (.other, "it asks for no password, no code and no user name alone")
    }

    /// A user name without a password signs in where it is said to be one, and nothing beside it is for a new account.
    private func isLikelyFirstPage(_ index: Int) -> Bool {
        switch fields[index].look {
        case .stated(.username): break
        case .text(let likelihood) where likelihood >= 4: break
        default: return false
        }
        return !fields.contains { $0.signUpWord != nil }
    }
}
