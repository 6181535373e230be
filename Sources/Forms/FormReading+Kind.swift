// SPDX-License-Identifier: Apache-2.0

extension FormReading {
    /// The kind that follows from the roles, and why.
    var kind: (FormAnalysis.Kind, ground: String) {
        let has = { (role: FieldFinding.Role) in fields.indices.contains { self.role($0) == role } }
        switch (has(.newPassword), has(.password)) {
        case (true, true) where signsInBeside: return (.signUp, "it asks for a new password, and also signs in")
        case (true, true): return (.changePassword, "it asks for the current password and a new one")
        case (true, false): return (.signUp, "it asks for a new password and not for a current one")
        case (false, true):
            return (.signIn, has(.username) ? "it asks for a user name and a password" : "it asks for a password only")
        case (false, false): break
        }
        if has(.oneTimeCode) { return (.oneTimeCode, "it asks for a code and no password") }
        if let username, let ground = firstPage(username) { return (.signIn, ground) }
        return (.other, "it asks for no password, no code and no user name alone")
    }

    /// Whether the current password is that of a sign-in on the same page: each has a name's field, and no word means
    /// “current”.
    private var signsInBeside: Bool {
        guard let current = fields.indices.first(where: { role($0) == .password }),
            let new = fields.indices.first(where: { role($0) == .newPassword })
        else { return false }
        if case .stated = fields[current].purpose { return false }
        return !fields[current].words.has(.current) && isParted(min(current, new), max(current, new))
    }

    /// Why a user name without a password is the first page of a sign-in: it or the form is declared to be one, and no
    /// other field is for a new account.
    private func firstPage(_ index: Int) -> String? {
        let evidence = evidence([])
        if evidence.signUp > 0 { return nil }
        if let vote = context.votes(for: .signIn, against: .signUp).first {
            return "\(vote.ground): the password follows on another page"
        }
        switch fields[index].purpose {
        case .stated(.username), .text(likelihood: 4): break
        default:
            if !fields[index].words.offersChoice { return nil }
        }
        return "it asks for a user name only: the password follows on another page"
    }
}
