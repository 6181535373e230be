// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials

/// What a connection has written, and what was decided for it before.
struct SessionMemory {
    /// What this connection wrote itself.
    var ownership = Ownership()
    /// What was decided for it lately.
    var decisions = SessionDecisions()
    /// What it was suggested for its forms, and what it submitted.
    var forms = FormMemory()
    var consents = SessionConsents()
    var inspections = InspectionCount()
    /// The import that it has begun.
    var staging: ImportStaging?
    /// The export that it has begun.
    var export: BegunExport?
    /// The machine's invitation to sync that it has begun; without it the invitation ends.
    var invitation: OpenInvitation?

    init() {}

    /// Another vault has replaced the one that it wrote to.
    init(after former: SessionMemory, replacements: Int) {
        ownership.replacements = replacements
        inspections = former.inspections
        forms = former.forms
        forms.forgetVault()
    }

    mutating func forgetNames() {
        decisions = SessionDecisions()
        consents.items = []
        forms.forgetSubmitted()
        staging?.discard()
        staging = nil
        export = nil
        invitation = nil
    }
}

/// Which inspection of a connection's app is the latest: overlapping ones may end in any order.
struct InspectionCount {
    /// How many have begun.
    var begun = 0
    /// The number of the one whose result is stored.
    var stored = 0
}

/// What the user has allowed a connection while it lasts.
struct SessionConsents {
    /// The subject to which the user gave the app's own data.
    var ownData: Subject?
    /// Keychain items of other programs.
    var items: Set<ObjectID> = []

    func merged(with other: SessionConsents) -> SessionConsents {
        SessionConsents(ownData: ownData ?? other.ownData, items: items.union(other.items))
    }

    /// The user has answered a question.
    mutating func note(_ question: ConsentQuestion) {
        if case .own = question.matter { ownData = question.subject }
        if let item = question.item { items.insert(item) }
    }
}
