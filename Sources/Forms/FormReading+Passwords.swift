// SPDX-License-Identifier: Apache-2.0

/// Which password fields are for the current password, the new one, and the confirmation of the new one. Where the
/// fields' own words are ambiguous, their number, order and values decide, as in Firefox and Chromium.
extension FormReading {
    mutating func arrangePasswords() {
        let indices = passwordIndices
        let evidence = evidence(indices)
        correctDeclared(indices, evidence)
        readWords(of: indices)
        readNeighbours(of: indices)
        let open = indices.filter { role($0) == .other }
        switch open.count {
        case 1 where indices.count == 1: readAlone(open[0], evidence)
        case 1: give(.password, to: open[0], "the form has one more password field, which is for the new one")
        case 2: readPair(open[0], open[1], evidence)
        case 3: readThree(open)
        // More of them, without any hint, cannot be distinguished.
        default: break
        }
        nameConfirmations(indices)
    }

    private mutating func readWords(of indices: [Int]) {
        for (order, index) in indices.enumerated() where role(index) == .other {
            let words = fields[index].words
            if let word = words.find(.current) {
                give(.password, to: index, word.ground)
            } else if order > 0, let ground = confirmation(index, of: indices[order - 1]) {
                give(.confirmation, to: index, ground)
            } else if let word = words.find(.new) ?? words.signUp {
                give(.newPassword, to: index, word.ground)
            }
        }
    }

    /// Why a field confirms the one before it.
    func confirmation(_ index: Int, of former: Int) -> String? {
        if let word = fields[index].words.find(.confirmation) { return word.ground }
        return isSecond(index, after: former) ? "it is named as the field before it, with a 2" : nil
    }

    private func isSecond(_ index: Int, after former: Int) -> Bool {
        let (words, before) = (fields[index].words, fields[former].words)
        return words.number == 2 && before.number ?? 1 == 1 && words.stem == before.stem
    }

    /// What a field's neighbours imply, where it has no hint itself.
    private mutating func readNeighbours(of indices: [Int]) {
        for (order, index) in indices.enumerated() where role(index) == .other {
            let former = order > 0 ? role(indices[order - 1]) : nil
            let next = order + 1 < indices.count ? role(indices[order + 1]) : nil
            let others = indices.filter { $0 != index }.map(role)
            if next == .confirmation {
                give(.newPassword, to: index, "the field after it confirms it")
            } else if former == .newPassword {
                give(.confirmation, to: index, "it follows the field for the new password")
            } else if others.contains(.newPassword) {
                give(.password, to: index, "another field is for the new password")
            } else if others.contains(.password), !others.contains(.other) || former == .password {
                give(.newPassword, to: index, "another field is for the current password")
            }
        }
    }

    private mutating func readAlone(_ index: Int, _ evidence: FormEvidence) {
        if evidence.balance > 0, let ground = evidence.signUpGround {
            give(.newPassword, to: index, ground)
        } else if let ground = evidence.signInGround {
            give(.password, to: index, ground)
        } else {
            give(.password, to: index, "\(fields[index].ground), and it is the only password field")
        }
    }

    private mutating func readPair(_ first: Int, _ second: Int, _ evidence: FormEvidence) {
        let marks = (fields[first].field.valueMark, fields[second].field.valueMark)
        if let former = marks.0, let latter = marks.1, former != latter {
            give(.password, to: first, "the two password fields differ: the current one is first")
            give(.newPassword, to: second, "the two password fields differ: the new one is second")
        } else if evidence.balance < 5, isParted(first, second) {
            for index in [first, second] {
                give(.password, to: index, "each password field has a name's field before it")
            }
        } else if evidence.balance < 0 || evidence.balance == 0 && readSame(first, second) {
            let ground = evidence.signInGround ?? "two password fields have the same words"
            for index in [first, second] { give(.password, to: index, ground) }
        } else {
            give(.newPassword, to: first, "it is the first of two password fields")
            give(.confirmation, to: second, "it is the second of two password fields")
        }
    }

    /// Whether a field for a name is between two others: then they belong to two sign-ins, or to one and a sign-up.
    func isParted(_ first: Int, _ second: Int) -> Bool {
        fields.indices[(first + 1)..<second].contains { index in
            switch fields[index].purpose {
            case .stated(.username), .stated(.emailAddress): true
            case .text(let likelihood): likelihood > 1
            default: false
            }
        }
    }

    /// Whether two fields have the same visible text: then one substitutes for the other, and neither confirms it.
    private func readSame(_ first: Int, _ second: Int) -> Bool {
        let (former, latter) = (fields[first].field, fields[second].field)
        guard let words = latter.placeholder ?? latter.label, !words.isEmpty else { return false }
        return words == former.placeholder || words == former.label
    }

    private mutating func readThree(_ open: [Int]) {
        let marks = open.map { fields[$0].field.valueMark }
        if let first = marks[0], first == marks[1], first != marks[2] {
            give(.newPassword, to: open[0], "it has the same value as the field after it")
            give(.confirmation, to: open[1], "it has the same value as the field before it")
            give(.password, to: open[2], "it is the one of three password fields that differs")
        } else {
            give(.password, to: open[0], "it is the first of three password fields")
            give(.newPassword, to: open[1], "it is the second of three password fields")
            give(.confirmation, to: open[2], "it is the last of three password fields")
        }
    }

    /// Of several fields for the new password those after the first confirm it; one that confirms nothing is the new
    /// one.
    private mutating func nameConfirmations(_ indices: [Int]) {
        var isNamed = false
        for index in indices where role(index) == .newPassword || role(index) == .confirmation {
            if isNamed, role(index) == .newPassword {
                give(.confirmation, to: index, "\(ground(index)), and another precedes it")
            } else if !isNamed, role(index) == .confirmation {
                give(.newPassword, to: index, "no other field is for the new password")
            }
            isNamed = true
        }
    }
}
