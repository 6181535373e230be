// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import Credentials
internal import Forms
internal import Reasons

/// All conditions for the calling app, each with evidence and fix.
extension Diagnose: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        try request.willWait()
        await modules.apps.look()
        return try await modules.decide(request) { () throws(RefusedRequest) in try judge(request, modules) }
    }

    private func judge(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let site = try service.map { service throws(RefusedRequest) in try modules.apps.site(service, request) }
        var form: FormAnalysis?
        var rules: AutofillFacts.Rules?
        if fields != nil || declaredForm != nil {
            let read = try modules.descriptions(declared: declaredForm, fields ?? [], request.session).formFields()
            let analysis = request.session.memory.forms.analysis(of: read, words.surroundings)
            form = analysis
            rules = try modules.strongPassword(for: analysis, of: read, style: nil, on: site?.service)?.fact
        }
        let facts = modules.authoriser.facts(
            for: request, site: site?.fact ?? modules.apps.unnamedSite(request.session), form: form, rules: rules,
            consent: try consent(site?.service, request, modules))
        let strong = Examination(of: facts, for: .strongPassword)
        let saved = Examination(of: facts, for: .savedCredential)
        var findings = strong.findings
        if let grant = saved.findings.first(where: { $0.condition == .grant }) {
            findings.insert(grant, at: findings.firstIndex { $0.condition == .vault } ?? findings.endIndex)
        }
        return Answer(
            strongPassword: strong.isPermitted, savedCredentials: saved.isPermitted,
            conditions: findings.map(ConditionReport.init))
    }

    private func consent(
        _ service: Credentials.Service?, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> AutofillFacts.Consent {
        guard let service, modules.vault.fact == .unlocked, request.session.app?.subject != nil else {
            return .unknown
        }
        switch try modules.authoriser.remembered(request.session, service) {
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
