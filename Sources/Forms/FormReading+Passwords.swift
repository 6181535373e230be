// SPDX-License-Identifier: Apache-2.0

/// Which password fields are for the current password, the new one, and the new one once more. What the fields' own words
/// leave open their number, order and values decide, as in Firefox and Chromium.
extension FormReading {
    mutating func arrangePasswords() {
        let places = fields.indices.filter { index in
            switch fields[index].look {
            case .password: role(index) == .other
            case .stated(.password), .stated(.newPassword): true
            default: false
            }
        }
        readWords(of: places)
        readNeighbours(of: places)
        let open = places.filter { role($0) == .other }
        switch open.count {
        case 1 where places.count == 1: readAlone(open[0])
        case 1: give(.password, to: open[0], "the form has one more password field, which is for the new one")
        case 2: readPair(open[0], open[1])
        case 3: readThree(open)
        // More of them, with nothing said of them, cannot be told apart.
        default: break
        }
        nameConfirmations(places)
    }

    private mutating func readWords(of places: [Int]) {
        for (order, index) in places.enumerated() where role(index) == .other {
            let words = fields[index].words
            if let word = words.find(.current) {
                give(.password, to: index, "its name says “\(word)”")
            } else if order > 0, let word = words.find(.confirmation) {
                give(.confirmation, to: index, "its name says “\(word)”")
            } else if order > 0, isSecond(index, after: places[order - 1]) {
                give(.confirmation, to: index, "it is named as the field before it, with a 2")
            } else if let word = words.find(.new) ?? words.find(.signUp) {
                give(.newPassword, to: index, "its name says “\(word)”")
            }
        }
    }

    private func isSecond(_ index: Int, after former: Int) -> Bool {
        let (words, before) = (fields[index].words, fields[former].words)
        return words.tokens.contains("2") && !before.tokens.contains("2") && words.withoutDigits == before.withoutDigits
    }

    /// What a field's neighbours say of it, where it says nothing itself.
    private mutating func readNeighbours(of places: [Int]) {
        for (order, index) in places.enumerated() where role(index) == .other {
            let former = order > 0 ? role(places[order - 1]) : nil
            let next = order + 1 < places.count ? role(places[order + 1]) : nil
            let others = places.filter { $0 != index }.map(role)
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

    private mutating func readAlone(_ index: Int) {
        let names = fields.filter { reading in
            if case .stated(.username) = reading.look {
                true
            } else if case .text(4) = reading.look {
                true
            } else {
                false
            }
        }
        let addresses = fields.filter { reading in
            if case .stated(.emailAddress) = reading.look {
                true
            } else if case .text(3) = reading.look {
                true
            } else {
                false
            }
        }
        if fields.contains(where: \.asksToRemember) {
            give(.password, to: index, "the form offers to remember who signs in")
        } else if let word = fields.lazy.compactMap(\.signUpWord).first {
            give(.newPassword, to: index, "the form also asks for “\(word)”, as a sign-up does")
        } else if !names.isEmpty, !addresses.isEmpty {
            give(.newPassword, to: index, "the form asks for a user name and an e-mail address, as a sign-up does")
        } else if addresses.count > 1 {
            give(.newPassword, to: index, "the form asks for the e-mail address twice, as a sign-up does")
        } else if fields[index].field.passwordRules != nil {
            give(.newPassword, to: index, "it has password rules, which a new password needs")
        } else {
            give(.password, to: index, "\(fields[index].ground), and it is the only password field")
        }
    }

    private mutating func readPair(_ first: Int, _ second: Int) {
        let marks = (fields[first].field.valueMark, fields[second].field.valueMark)
        if let former = marks.0, let latter = marks.1, former != latter {
            give(.password, to: first, "the two password fields differ: the current one comes first")
            give(.newPassword, to: second, "the two password fields differ: the new one comes second")
        } else {
            give(.newPassword, to: first, "it is the first of two password fields")
            give(.confirmation, to: second, "it is the second of two password fields")
        }
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

    /// Of several fields for the new password those after the first confirm it; one that confirms nothing is the new one.
    private mutating func nameConfirmations(_ places: [Int]) {
        var isNamed = false
        for index in places where role(index) == .newPassword || role(index) == .confirmation {
            if isNamed, role(index) == .newPassword {
                give(.confirmation, to: index, "\(findings[index].ground), and another comes before it")
            } else if !isNamed, role(index) == .confirmation {
                give(.newPassword, to: index, "no other field is for the new password")
            }
            isNamed = true
        }
    }
}
