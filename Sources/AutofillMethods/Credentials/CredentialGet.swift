// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialGet: JudgedCall {
    typealias Area = CredentialMethods

    struct Decision: Sendable {
        let found: Sealed<Credential>
        let permit: Permit
        let showsDetails, showsHistory: Bool
    }

    func promptText(_ views: CredentialViews) throws(Unsettled) -> String? {
        "read a password saved for \(try views.shownCredential(name))"
    }

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let (found, permit) = try views.read(name, request)
        let showsDetails = try views.showsDetails(
            of: found.id, found.version, setBy: found.detailsWriter, under: permit, request)
        return Decision(found: found, permit: permit, showsDetails: showsDetails, showsHistory: request.isProven)
    }

    func act(on decision: Decision, _ effects: CredentialEffects) throws(Refusal) -> Answer {
        let opened = try effects.releases.open(decision.found, under: decision.permit, isUse: true)
        let shows = decision.showsDetails
        let fields = shows ? opened.record.details.fields.map(CustomFieldValue.init) : []
        let history = decision.showsHistory ? opened.record.previous.map(FormerPassword.init) : []
        return Answer(
            summary: AutofillProtocol.CredentialSummary(opened, showsDetails: shows),
            password: opened.record.password, notes: shows ? opened.record.details.notes : nil,
            fields: fields.isEmpty ? nil : fields, history: history.isEmpty ? nil : history)
    }
}

extension CustomFieldValue {
    init(_ field: CustomField) {
        self.init(name: field.name, value: field.value, isSecret: field.isSecret)
    }
}

extension FormerPassword {
    fileprivate init(_ former: Credential.Previous) {
        self.init(password: former.password, replaced: former.replaced.description)
    }
}
