// SPDX-License-Identifier: Apache-2.0

/// The evidence in a form for a new account, and for an existing one.
struct FormEvidence {
    /// Sums of weights: 6 is nearly certain, 2 a hint.
    private(set) var signUp = 0
    private(set) var signIn = 0
    /// Whether it includes what settings do not ask for: words of a new account or password, or terms to accept.
    private(set) var statesSignUp = false
    /// The weightiest of each.
    private(set) var signUpGround: String?
    private(set) var signInGround: String?
    private var weights = (signUp: 0, signIn: 0)

    /// Greater than 0 where a new account is more likely.
    var balance: Int { signUp - signIn }

    fileprivate mutating func add(signUp weight: Int, states: Bool = true, _ ground: String) {
        signUp += weight
        statesSignUp = statesSignUp || states
        if weight > weights.signUp { (weights.signUp, signUpGround) = (weight, ground) }
    }

    fileprivate mutating func add(signIn weight: Int, _ ground: String) {
        signIn += weight
        if weight > weights.signIn { (weights.signIn, signInGround) = (weight, ground) }
    }
}

extension FormReading {
    /// The evidence for either, apart from the declarations of `indices`, the password fields.
    func evidence(_ indices: [Int]) -> FormEvidence {
        var evidence = FormEvidence()
        for vote in context.votes(for: .signUp, against: .signIn) {
            evidence.add(signUp: vote.weight, vote.ground)
        }
        for vote in context.votes(for: .signIn, against: .signUp) {
            evidence.add(signIn: vote.weight, vote.ground)
        }
        if let change = context.first(of: [.passwordChange]) {
            evidence.add(signUp: change.weight, states: false, change.ground)
        }
        weighNames(&evidence)
        weighPersonalFields(&evidence)
        for index in indices { weighPassword(fields[index], &evidence) }
        return evidence
    }

    private func weighNames(_ evidence: inout FormEvidence) {
        let names = fields.filter { reading in
            switch reading.purpose {
            case .stated(.username), .text(likelihood: 4): true
            case .text(likelihood: 1): reading.words.has(.alias)
            default: false
            }
        }
        let addresses = fields.filter { reading in
            switch reading.purpose {
            case .stated(.emailAddress), .text(likelihood: 3): true
            default: false
            }
        }
        if !names.isEmpty, !addresses.isEmpty {
            let ground = "the form asks for a user name and an e-mail address, as a sign-up does"
            evidence.add(signUp: 4, states: false, ground)
        } else if addresses.count > 1 {
            evidence.add(signUp: 4, states: false, "the form asks for the e-mail address twice, as a sign-up does")
        }
        for reading in names {
            if let chosen = reading.words.sources.first(where: { !$0.isCode && $0.has(.new) })?.hit(.new) {
                let word = Vocabulary.all.words[chosen.word].written
                evidence.add(signUp: 4, "\(reading.field.id) contains “\(word)”, as a sign-up does")
            }
        }
        if !names.isEmpty || fields.contains(where: \.asksAddress),
            let phone = fields.first(where: { $0.isSeen && $0.asksPhone })
        {
            let ground = "\(phone.field.id) asks for a telephone number beside the user name"
            evidence.add(signUp: 2, states: false, ground)
        }
        if let choice = fields.first(where: { $0.isSeen && $0.words.offersChoice }) {
            evidence.add(signIn: 2, "\(choice.field.id) accepts one of two names, as a sign-in does")
        }
    }

    /// Fields that only a sign-up has, and fields that no sign-up has.
    private func weighPersonalFields(_ evidence: inout FormEvidence) {
        var asked: Set<String> = []
        for reading in fields where reading.isSeen {
            let words = reading.words
            if reading.field.type == "checkbox" || reading.field.type == "radio" {
                if words.has(.remember) { evidence.add(signIn: 8, "the form offers to remember the user") }
                if words.has(.terms) { asked.insert("terms") }
                continue
            }
            if let word = words.signUp { evidence.add(signUp: 4, "\(reading.field.id) contains “\(word.written)”") }
            guard case .apart = reading.purpose else { continue }
            if let token = reading.field.autocomplete.first(where: Self.personal.contains) {
                asked.insert(token)
            } else if let subject = words.subject, Self.personalTopics.contains(subject.topic) {
                asked.insert("\(subject.topic)")
            }
        }
        // A bank or an airline asks for the number of a customer, the last name and the password.
        let asksNumber = fields.contains { $0.isSeen && $0.words.subject?.topic == .alias }
        if asked == ["personName"], asksNumber, !fields.contains(where: \.asksAddress) { asked = [] }
        let hits = (shared.hit(.signUp), shared.hit(.signIn))
        if let word = hits.0 ?? hits.1 {
            let ground = "the fields' ids contain “\(Vocabulary.all.words[word.word].written)”"
            if hits.0 != nil { evidence.add(signUp: 4, ground) } else { evidence.add(signIn: 3, ground) }
        }
        for (index, thing) in asked.sorted().enumerated() {
            evidence.add(
                signUp: index == 0 ? 4 : 2, states: thing == "terms",
                "the form also asks for “\(Self.titles[thing] ?? thing)”, as a sign-up does"
            )
        }
    }

    private static let personal: Set = ["name", "given-name", "family-name", "bday", "tel-national"]
    private static let personalTopics: Set<Topic> = [.personName, .birthday, .address, .bareAddress]
    private static let titles = ["personName": "name", "birthday": "date of birth", "bareAddress": "address"]

    private func weighPassword(_ reading: FieldReading, _ evidence: inout FormEvidence) {
        let words = reading.words
        if let new = words.find(.new) ?? words.signUp { evidence.add(signUp: 6, new.ground) }
        if let strength = words.find(.strength) { evidence.add(signUp: 4, strength.ground) }
        if reading.field.passwordRules != nil {
            evidence.add(signUp: 4, "it has password rules, which a new password needs")
        }
        if let current = words.find(.current) { evidence.add(signIn: 6, current.ground) }
        if let lost = words.find(.lost) { evidence.add(signIn: 4, lost.ground) }
        if let login = words.find(.signIn) ?? words.find(.login) { evidence.add(signIn: 3, login.ground) }
    }
}
