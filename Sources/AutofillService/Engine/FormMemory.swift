// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// What a connection was told about its forms, and what it told of them.
struct FormMemory {
    /// The fields that each offer of the connection was made for.
    private(set) var fieldsOfOffer: [ObjectID: [FieldDescription]] = [:]
    /// The user name that was submitted last for a service without a password: the first page of two.
    private var submittedUsers: [Service: String] = [:]
    /// What was logged already for a field of a form (or of forms without a name).
    private var logged: Set<LoggedReason> = []

    struct LoggedReason: Hashable {
        let form: String?
        let field: String
        let reason: String
    }

    /// Keeps the fields of an offer for `autofill.fill`; what is known goes first when there is much.
    mutating func remember(_ fields: [FieldDescription], for offer: ObjectID) {
        if fieldsOfOffer.count >= Limits.pendingOffersPerService { fieldsOfOffer.removeAll() }
        fieldsOfOffer[offer] = fields
    }

    mutating func rememberSubmitted(_ user: String, for service: Service) {
        if submittedUsers.count >= Limits.pendingOffersPerService { submittedUsers.removeAll() }
        submittedUsers[service] = user
    }

    func submittedUser(for service: Service) -> String? { submittedUsers[service] }

    /// Whether a reason is to be logged: it was not yet.
    mutating func isFirst(_ reason: LoggedReason) -> Bool {
        if logged.count >= 256 { logged.removeAll() }
        return logged.insert(reason).inserted
    }

    mutating func forgetVault() {
        fieldsOfOffer = [:]
        submittedUsers = [:]
    }
}
