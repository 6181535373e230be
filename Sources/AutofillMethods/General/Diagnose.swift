// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons

/// All conditions for the calling app, each with evidence and fix.
extension Diagnose: JudgedCall {
    typealias Area = FormMethods
    typealias Decision = Answer

    func judge(_ views: FormViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try request.requireReadFiles()
        let sites = views.credentials.sites
        let site = try service.map { service throws(Unsettled) in try sites.site(service, request) }
        let fact = site?.fact ?? sites.unnamed(request)
        var analysis: FormAnalysis?
        var rules: AutofillFacts.Rules?
        if let form {
            let described = try sites.described(form, request)
            let fields = try described.fields.formFields()
            let found = request.analysis(of: fields, described.words)
            analysis = found
            let requested = RequestedForm(site: fact, service: site?.service, analysis: found, fields: fields)
            rules = try views.passwords.strongPassword(for: requested, style: nil)?.fact
        }
        let facts = views.policy.facts(
            for: request, site: fact, form: analysis, rules: rules, consent: try consent(site?.service, views, request))
        let strong = Examination(of: facts, for: .strongPassword)
        let saved = Examination(of: facts, for: .savedCredential)
        var findings = strong.findings
        if let grant = saved.findings.first(where: { $0.condition == .grant }) {
            findings.insert(grant, at: findings.firstIndex { $0.condition == .vault } ?? findings.endIndex)
        }
        return Answer(
            // Where the user has denied the service, nothing could be saved.
            strongPassword: strong.isPermitted && facts.consent != .denied, savedCredentials: saved.isPermitted,
            conditions: findings.map(ConditionReport.init))
    }

    private func consent(
        _ service: Credentials.Service?, _ views: FormViews, _ request: RequestView
    ) throws(Unsettled) -> AutofillFacts.Consent {
        guard let service, views.credentials.saved.isVaultOpen, request.isConsistent else { return .unknown }
        switch try views.credentials.access.remembered(service, request) {
        case .some(let grant) where grant.decision == .allow: return .granted("grant \(grant.id) of \(grant.created)")
        case .some: return .denied
        case nil: return .missing
        }
    }
}

extension ConditionReport {
    init(_ finding: Finding) {
        self.init(
            condition: finding.condition.rawValue, title: finding.condition.title, isHeld: finding.isHeld,
            evidence: finding.evidence, reason: finding.refusal.map(ReasonReport.init))
    }
}
