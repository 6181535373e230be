// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// What can be filled into a form.
extension AutofillSuggest: JudgedCall {
    typealias Area = FormMethods

    struct Decision: Sendable {
        let form: FormAnalysis
        let service: Service?
        let strong: StrongDecision?
        let saved: Result<SavedCredentialsSuggestion, NotOffered>?
        let codes: Result<CodePlan, NotOffered>?
        let site: SiteReport?
    }

    func judge(_ views: FormViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let (site, service) = try views.credentials.sites.site(service, request)
        let described = try views.credentials.sites.described(self.form, request)
        let fields = try described.fields.formFields()
        let form = request.analysis(of: fields, described.words)
        let focused = try self.form.focus.map { focus throws(Unsettled) in try form.finding(of: focus) }
        var saved: Result<SavedCredentialsSuggestion, NotOffered>?
        if focused.map({ $0.role == .username || $0.role == .password }) ?? true {
            saved = try views.savedCredentials(site, service, form, request)
        }
        var codes: Result<CodePlan, NotOffered>?
        if focused.map({ $0.role == .oneTimeCode }) ?? true {
            codes = try views.codePlan(site, service, form, named: self.form.id, request)
        }
        var strong: StrongDecision?
        if focused.map(form.wantsNewPassword) ?? true {
            let page = RequestedForm(site: site, service: service, analysis: form, fields: fields)
            strong = try judgeStrong(page, described, views, request)
        }
        // Names are for the program that was allowed them, not for one that it has become since.
        let names = (try? saved?.get())?.namesAny ?? false || (try? codes?.get())?.isEmpty == false
        if names { try request.confirmPeer() }
        return Decision(
            form: form, service: service, strong: strong, saved: saved, codes: codes,
            site: service.flatMap(views.credentials.sites.report))
    }

    func act(on decision: Decision, _ effects: FormEffects) throws(Refusal) -> Answer {
        let form = decision.form
        let strong = decision.strong.map { act(on: $0, decision, effects) }
        let codes = decision.codes.flatMap { effects.codes.suggest($0, form.oneTimeCodeFields) }
        var withheld: [Withheld] = []
        func note<Found>(_ type: String, _ found: Result<Found, NotOffered>?) {
            guard case .failure(let refused)? = found else { return }
            withheld.append(Withheld(type: type, reasons: refused.refusals.map(ReasonReport.init)))
        }
        note("strongPassword", strong)
        note("savedCredentials", decision.saved)
        note("oneTimeCode", codes)
        return Answer(
            formKind: form.kind.rawValue, grounds: form.grounds,
            roles: form.findings.map { FieldRole(field: $0.field, role: $0.role.rawValue) },
            strongPassword: try? strong?.get(), savedCredentials: try? decision.saved?.get(),
            oneTimeCode: try? codes?.get(), withheld: withheld, site: decision.site)
    }
}

/// A form that something is suggested for.
struct RequestedForm {
    let site: AutofillFacts.Site
    let service: Service?
    let analysis: FormAnalysis
    let fields: [FormField]
}

extension FormAnalysis {
    fileprivate func finding(of field: String) throws(Unsettled) -> FieldFinding {
        guard let finding = findings.first(where: { $0.field.utf8.elementsEqual(field.utf8) }) else {
            throw .invalid("form.focus", "the id of one of the fields")
        }
        return finding
    }

    /// Whether a strong password belongs into the field, or seems meant to: a form with two fields of content type `password` is
    /// a sign-up that was given the wrong ones.
    fileprivate func wantsNewPassword(_ finding: FieldFinding) -> Bool {
        switch finding.role {
        case .newPassword, .confirmation: true
        case .password: newPasswordFields.isEmpty && asksForNewPassword
        default: false
        }
    }
}

/// Why a suggestion is not made.
struct NotOffered: Error {
    let refusals: [Refusal]

    /// What is refused is not offered, and keeps nothing else from a form; what has to be waited for is thrown.
    static func unless<Found>(
        _ find: () throws(Unsettled) -> Found
    ) throws(Unsettled) -> Result<Found, NotOffered> {
        do throws(Unsettled) { return .success(try find()) } catch {
            guard let refusals = error.refusals else { throw error }
            return .failure(NotOffered(refusals: refusals))
        }
    }
}

extension SavedCredentialsSuggestion {
    /// Whether user names are in it.
    fileprivate var namesAny: Bool { !credentials.isEmpty || !related.isEmpty || !shared.isEmpty }
}
