// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What the user gave one request: proof, and answers to questions.
struct RequestConsents {
    enum Proof {
        case none
        /// It came with the request, and was not checked yet.
        case brought
        case given
        /// It was for a vault that has been replaced since.
        case lost
    }

    private(set) var proof = Proof.none
    /// What the user has just allowed this request and no other.
    private var allowances: Set<Allowance> = []

    mutating func noteBroughtProof() { proof = .brought }
    mutating func noteProof() { proof = .given }

    mutating func allow(_ allowance: Allowance) { allowances.insert(allowance) }

    /// Whether the user has allowed it nothing.
    var isEmpty: Bool { allowances.isEmpty }

    func contains(_ allowance: Allowance) -> Bool { allowances.contains(allowance) }

    /// Nothing that was shown or allowed for another vault counts in this one.
    mutating func vaultWasReplaced() {
        allowances = []
        if proof == .given { proof = .lost }
    }

    /// The keychain items that a subject was just allowed.
    func items(for subject: Subject) -> [ObjectID] {
        allowances.flatMap { allowance -> [ObjectID] in
            guard case .read(let items) = allowance.matter, allowance.subject == subject else { return [] }
            return items.ids
        }
    }

    /// The user's answer to filling, or saving for, one account of a service; nil where they were not asked.
    func pick(of service: Service, toSave: Bool, for subject: Subject) -> Allowance? {
        allowances.first { allowed in
            let isMeant =
                switch allowed.matter {
                case .fillOne: !toSave
                case .saveFor: toSave
                case .fill, .save, .approval, .own, .read: false
                }
            return isMeant && allowed.subject == subject && allowed.service == service
        }
    }
}
