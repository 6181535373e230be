// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import Credentials
internal import Forms
internal import Reasons

/// A field got the focus: the moment at which Apple says why it offers nothing.
extension AutofillFocus: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let (site, service) = try modules.apps.site(service, request)
        let fields = try modules.descriptions(declared: declaredForm, fields, request.session).formFields()
        let form = FormAnalysis(of: fields)
        guard let finding = form.findings.first(where: { $0.field.utf8.elementsEqual(field.utf8) }) else {
            throw .invalid("field", "the id of one of the fields")
        }
        var suggests: [String] = []
        var withheld: [Withheld] = []
        if wantsNewPassword(finding, form) {
            let rules = try modules.strongPassword(for: form, of: fields, style: nil, on: service)?.fact
            let facts = modules.authoriser.facts(for: request, site: site, form: form, rules: rules)
            let refusals = Examination(of: facts, for: .strongPassword).refusals
            if refusals.isEmpty {
                suggests.append("strongPassword")
            } else {
                withheld.append(Withheld(type: "strongPassword", reasons: refusals.map(ReasonReport.init)))
                modules.audit.noteWithheld(
                    refusals, form: self.form, field: finding.field, domain: service?.value, request)
            }
        }
        func add<Found>(_ type: String, _ found: Result<Found, NotOffered>?) {
            switch found {
            case .success: suggests.append(type)
            case .failure(let refused):
                withheld.append(Withheld(type: type, reasons: refused.refusals.map(ReasonReport.init)))
            case nil: break
            }
        }
        if finding.role == .username || finding.role == .password {
            add("savedCredentials", try modules.savedCredentials(request, site, service, form))
        }
        if finding.role == .oneTimeCode { add("oneTimeCode", try modules.knownCodes(request, site, service, form)) }
        return Answer(
            formKind: form.kind.rawValue, role: finding.role.rawValue,
            grounds: ["\(form.kind.rawValue): \(form.kindGround)", finding.sentence], suggests: suggests,
            withheld: withheld)
    }

    /// Whether a strong password belongs into the field, or seems meant to: a form with two fields of content type
    /// `password` is a sign-up that was given the wrong ones.
    private func wantsNewPassword(_ finding: FieldFinding, _ form: FormAnalysis) -> Bool {
        switch finding.role {
        case .newPassword, .confirmation: true
        case .password: form.newPasswordFields.isEmpty && form.asksForNewPassword
        default: false
        }
    }
}
