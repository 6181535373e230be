// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Forms

/// What a connection received about its forms, and what it reported of them.
struct FormMemory {
    /// The form that each offer of the connection was made for.
    private var formsOfOffers = RecentValues<ObjectID, DescribedForm>(limit: Limits.pendingOffersPerService)
    /// The user name that was submitted last for a service without a password: the first page of two.
    private var submittedUsers = RecentValues<Service, String>(limit: Limits.pendingOffersPerService)
    var submissions = PendingSubmissions()
    /// What was logged already for a field of a form (or of forms without a name).
    private var logged = RecentValues<LoggedReason, Void>(limit: Limits.rememberedFormReasons)

    /// The form that was read last.
    private var read: ReadForm?

    struct LoggedReason: Hashable {
        let form: String?
        let field: String
        let reason: String
    }

    /// Reads a form, unless it is the one that was read last: an app asks about its form at each focus, and then fills it.
    mutating func analysis(of fields: [FormField], _ context: FormContext) -> FormAnalysis {
        if let read, read.isOf(fields, context) { return read.analysis }
        let analysis = FormAnalysis(of: fields, context: context)
        read = ReadForm(fields: fields, context: context, analysis: analysis)
        return analysis
    }

    /// Keeps the form of an offer for `autofill.fill`.
    mutating func remember(_ form: DescribedForm, for offer: ObjectID) { formsOfOffers[offer] = form }

    mutating func form(of offer: ObjectID) -> DescribedForm? { formsOfOffers[offer] }

    /// The offers of this connection that were not forgotten.
    var offers: [ObjectID] { formsOfOffers.keys.sorted() }

    mutating func rememberSubmitted(_ user: String, for service: Service) { submittedUsers[service] = user }

    mutating func submittedUser(for service: Service) -> String? { submittedUsers[service] }

    /// The second page has come: its user name belongs to no other form.
    mutating func forgetSubmitted(for service: Service) { submittedUsers[service] = nil }

    /// Whether a reason is to be logged: it was not yet.
    mutating func isFirst(_ reason: LoggedReason) -> Bool {
        if logged[reason] != nil { return false }
        logged[reason] = ()
        return true
    }

    /// The vault was locked.
    mutating func forgetSubmitted() {
        submittedUsers.removeAll()
        submissions.removeAll()
    }

    mutating func forgetVault() {
        formsOfOffers.removeAll()
        forgetSubmitted()
    }
}

/// A form and what was read from it.
private struct ReadForm {
    let fields: [FormField]
    let context: FormContext
    let analysis: FormAnalysis

    /// Whether it is that form. The analysis names fields by their ids, so these are compared by bytes: two that are only
    /// canonically equivalent are two.
    func isOf(_ other: [FormField], _ words: FormContext) -> Bool {
        fields == other && context == words
            && zip(fields, other).allSatisfy { $0.id.utf8.elementsEqual($1.id.utf8) }
    }
}
