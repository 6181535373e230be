// SPDX-License-Identifier: Apache-2.0

/// What pages declare wrong, by `autocomplete`.
extension FormReading {
    /// Pages declare the wrong one: `new-password` to prevent filling, `current-password` because a sign-up was made from
    /// a sign-in.
    mutating func correctDeclared(_ indices: [Int], _ evidence: FormEvidence) {
        let declared = indices.filter { fields[$0].field.contentType == nil && role($0) != .other }
        if let index = declared.first, indices.count == 1 {
            let isNew = role(index) == .newPassword
            // Personal data are asked for by settings too.
            let contrary = evidence.balance > 5 && evidence.statesSignUp ? evidence.signUpGround : nil
            if let ground = isNew ? doubt(evidence) : contrary {
                give(isNew ? .password : .newPassword, to: index, "\(ground), though \(fields[index].ground)")
            }
        } else if indices.count == 2, let first = declared.first, first == indices[0], role(first) == .password,
            !fields[first].words.has(.current), let ground = confirmation(indices[1], of: first)
        {
            give(.newPassword, to: first, "the field after it confirms it")
            if declared.contains(indices[1]) { give(.confirmation, to: indices[1], ground) }
        } else {
            for index in declared { believeWords(of: index, after: indices.first == index ? nil : indices.first) }
        }
    }

    /// What a field's words say, of a declared one that they contradict.
    private mutating func believeWords(of index: Int, after first: Int?) {
        let (words, declaration) = (fields[index].words, fields[index].ground)
        if role(index) == .newPassword, let word = words.find(.current), !words.has(.new) {
            give(.password, to: index, "\(word.ground), though \(declaration)")
        } else if role(index) == .password, !words.has(.current) {
            if first != nil, let word = words.find(.confirmation) {
                give(.confirmation, to: index, "\(word.ground), though \(declaration)")
            } else if let word = words.find(.new) {
                give(.newPassword, to: index, "\(word.ground), though \(declaration)")
            }
        }
    }

    /// Why a lone `new-password` is not one: the form mentions signing in, or asks for a name and a password and
    /// mentions no new account, neither by `username` nor in its texts. A sign-up asks for more, or states that it is one.
    private func doubt(_ evidence: FormEvidence) -> String? {
        if evidence.balance < -7 || evidence.signUp == 0 && evidence.signIn > 1 { return evidence.signInGround }
        let names = fields.filter { reading in
            switch reading.purpose {
            case .stated(.username), .stated(.emailAddress), .text: true
            default: false
            }
        }
        guard evidence.signUp == 0, names.count == 1, !names[0].field.autocomplete.contains("username"),
            names[0].field.contentType == nil
        else { return nil }
        return "the form asks for a name and a password only, and does not mention a new account"
    }
}
