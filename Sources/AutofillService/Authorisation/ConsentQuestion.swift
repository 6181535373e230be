// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
package import Prompting
internal import Reasons

/// A question about an app and a service: what is asked, and how it is shown. Two are equal that ask the user the same,
/// whichever process of the app asks, and what is remembered of the same program.
package struct ConsentQuestion: Hashable, Sendable {
    enum Matter: Hashable {
        /// May it be given what is saved for the service?
        case fill
        /// May it be given what is saved for one of these accounts, the one that the user picks? Whether it has a grant already:
        /// then the pick alone is asked for.
        case fillOne(accounts: [PromptedAccount], isGranted: Bool)
        /// Is what was typed to be saved, under this user name, and to replace what is saved for it?
        case save(user: String, isReplacing: Bool)
        /// Is what was typed to be saved for one of these accounts, the one that the user picks?
        case saveFor(accounts: [PromptedAccount])
        /// Does the domain count as the app's own, where the site itself has not stated so?
        case approval
        /// May it be given what it has kept itself, where any program can pass for it?
        case own
        /// May it be given several keychain items of other programs?
        case read(PromptedItems)

        /// The same for every user name.
        enum Kind: Hashable { case fill, save, approval, own }

        var kind: Kind {
            switch self {
            case .fill, .fillOne, .read: .fill
            case .save, .saveFor: .save
            case .approval: .approval
            case .own: .own
            }
        }
    }

    let matter: Matter
    package let subject: Subject
    package let service: Service
    /// To what a remembered yes is given, and so for how long it can be; to nothing where the program could not be known
    /// again, or a remembered yes would not do.
    let grantees: Grantees
    /// Why it has to be asked; empty where that is plain.
    let detail: String
    /// What the first question states besides.
    let evidence: PromptedEvidence
    /// Where a browser shows what it asks for, and what a remembered yes is then for.
    var page = PromptedPage()
    /// What of its own the app asks for first, as it is shown; empty where that has no name.
    var ownName = ""
    /// The keychain item that it is about, of the request that asks; nil for all others.
    var item: ObjectID?
    /// The program where nothing distinguishes it: what a no is to; nil for all others.
    var program: Denials.Undistinguished?
    /// What the request gets where nobody can be asked.
    let unasked: Refusal

    package static func == (one: ConsentQuestion, other: ConsentQuestion) -> Bool {
        one.matter == other.matter && one.subject == other.subject && one.service == other.service
            && one.page.top == other.page.top && one.grantees == other.grantees
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(matter)
        hasher.combine(subject)
        hasher.combine(service)
        hasher.combine(page.top)
        hasher.combine(grantees)
    }

    var allowance: Allowance { Allowance(matter: matter, subject: subject, service: service) }

    /// The accounts of which the user picks one, or that the one question names.
    package var accounts: [PromptedAccount] {
        switch matter {
        case .fillOne(let accounts, _), .saveFor(let accounts): accounts
        case .fill, .save, .approval, .own, .read: []
        }
    }

    /// Whether an answer to it names one of several.
    package var isPick: Bool { accounts.count > 1 }

    var names: [Refusal.Parameter: String] {
        var names: [Refusal.Parameter: String] = [.app: subject.app, .domain: service.asArgument]
        if matter.kind != .approval { names[.path] = unasked.parameters[.path] }
        return names
    }
}

/// The user's yes to one request: to what was asked, and for which subject.
package struct Allowance: Hashable, Sendable {
    let matter: ConsentQuestion.Matter
    let subject: Subject
    let service: Service
    /// The account that was picked, where there were any to pick from.
    package var account: ObjectID?
}

/// How it is shown.
extension ConsentQuestion {
    static let title = "Password AutoFill"

    /// May it, this time?
    package var first: Prompt {
        switch matter {
        case .fill: asking("\(evidence.name) wants to \(fills).")
        case .fillOne(let accounts, _):
            asking(
                "\(evidence.name) wants to \(fills)"
                    + (accounts.first.map { ", for \($0.shown)." } ?? ". Nothing is saved for it yet."))
        case .save(let user, _):
            asking(
                "Save the password for \(shown(user)) at \(shownService) that was typed in \(evidence.name)?",
                yes: "Save", no: "Do not save")
        case .saveFor: asking("Save \(typed)?", yes: "Save", no: "Do not save")
        case .approval:
            asking("May \(evidence.name) count as an app of \(shownService)? The site has not stated this.")
        case .own: asking("\(evidence.name) wants to use \(ownData).")
        case .read(let items): firstPrompt(of: items)
        }
    }

    /// Is the yes to be remembered? nil where it cannot be.
    package var afterYes: Prompt? {
        memory.map { memory in
            let what =
                switch matter {
                case .fill where page.consent != nil, .fillOne where page.consent != nil:
                    "May \(evidence.name) fill the passwords saved for all web sites \(memory), without asking again?"
                case .fill, .fillOne: "May \(evidence.name) \(fills) \(memory), without asking again?"
                case .read(let items): items.afterYes(of: evidence.name, memory)
                case .own: "May \(evidence.name) use \(ownData) \(memory), without asking again?"
                case .save, .saveFor, .approval: "May \(evidence.name) count as an app of \(shownService) \(memory)?"
                }
            let isEither = grantees.always != nil && grantees.untilLogout != nil
            return prompt(
                what, yes: grantees.always == nil ? "Until logout" : "Always", no: "Only this once",
                alternative: isEither ? Prompt.Answer(.login, "Until logout") : nil)
        }
    }

    /// How long a yes can be remembered at most, as text.
    private var memory: String? {
        grantees.always != nil ? "from now on" : grantees.untilLogout != nil ? "until you log out" : nil
    }

    /// All answers but a plain no.
    private var answers: [Prompt.Answer] {
        switch matter {
        case .save, .saveFor: return [Prompt.Answer(.once, "Save"), Prompt.Answer(.never, "Never save")]
        case .fill, .fillOne, .approval, .own, .read: break
        }
        var answers = [Prompt.Answer(.once, "This time")]
        if grantees.untilLogout != nil { answers.append(Prompt.Answer(.login, "Until logout")) }
        if grantees.always != nil { answers.append(Prompt.Answer(.allow, "Always")) }
        if !Peer.isPassing(subject.executable) { answers.append(Prompt.Answer(.never, "Never")) }
        return answers
    }

    /// Is the no to be remembered? nil where it is not asked: then `autofillctl grant deny` is the way.
    package var afterNo: Prompt? {
        guard case .save = matter else { return nil }
        return prompt(
            "Never save what is typed in \(evidence.name), and do not ask again?", yes: "Never save",
            no: "Only this time")
    }

    /// The first question.
    func asking(_ question: String, yes: String = "Allow", no: String = "Do not allow") -> Prompt {
        prompt(question, yes: yes, no: no, answers: answers)
    }

    func prompt(
        _ question: String, yes: String, no: String, answers: [Prompt.Answer] = [], alternative: Prompt.Answer? = nil
    ) -> Prompt {
        let reason = detail.isEmpty ? "" : "\(shown(detail))\n\n"
        return Prompt(
            title: Self.title, description: "\(question)\n\n\(reason)\(around)\(evidence.lines)",
            kind: .confirm(yes: yes, no: no), parentWindow: page.window, answers: answers, alternative: alternative)
    }

    /// What is around a frame of a browser's page.
    var around: String {
        page.top.map { "It is inside another site's page: \(shown($0))\n\n" } ?? ""
    }

    /// The consent is for all that is the app's own, whatever it asks for first.
    private var ownData: String {
        ownName.isEmpty ? "what it has saved for itself" : "\(ownName), and what else it has saved for itself"
    }

    /// What was typed, where the form did not name the user.
    var typed: String { "the password for \(shownService) that was typed in \(evidence.name)" }

    var fills: String {
        if let owner = secretServiceOwner {
            return owner.isEmpty
                ? "read a secret that it did not save itself" : "read the secrets that \(owner) has saved"
        }
        return service.kind == .keychain
            ? "read what is saved in the keychain under \(shownService)" : "fill the password saved for \(shownService)"
    }

    private var shownService: String { shown(service.value) }

    private func shown(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptPathCharacters) }
}
