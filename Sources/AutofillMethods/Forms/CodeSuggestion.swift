// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// The one-time codes that a form's field is suggested.
struct CodePlan: Sendable {
    enum Code: Sendable {
        case ready(SuggestedCode)
        /// One of a counter, whose suggestion is made and kept first.
        case counter(SuggestedCodes.Plan, user: String)
    }

    let codes: [Code]
    /// The suggestions that are kept already.
    let kept: SuggestedCodes?
    /// Whether there are some that were not read.
    let hasMore: Bool

    var isEmpty: Bool { codes.isEmpty }
}

/// One-time codes in forms: suggested for their fields.
extension FormViews {
    /// nil where the form has no field for a code, and where the app has a grant and there is none. Without a grant it is the same
    /// whatever there is, but for the codes that the app set itself.
    ///
    /// - Parameter name: of the form, where it has one.
    func codePlan(
        _ site: AutofillFacts.Site, _ service: Service?, _ form: FormAnalysis, named name: String?,
        _ request: RequestView
    ) throws(Unsettled) -> Result<CodePlan, NotOffered>? {
        guard !form.oneTimeCodeFields.isEmpty else { return nil }
        switch try suggestible(site, service, request) {
        case .success(let permit):
            let plan = try NotOffered.unless { () throws(Unsettled) in try codePlan(permit, named: name, request) }
            if permit.isGranted, case .success(let plan) = plan, plan.isEmpty { return nil }
            return plan
        case .failure(let refused): return .failure(refused)
        }
    }

    /// Without a grant those whose codes this connection set itself.
    private func codePlan(
        _ permit: Permit, named name: String?, _ request: RequestView
    ) throws(Unsettled) -> CodePlan {
        let site = permit.service
        var planned: [CodePlan.Code] = []
        if permit.isGranted {
            planned = codes.codes.incoming(for: site).map { waiting in
                .ready(
                    SuggestedCode(
                        code: waiting.id, source: "incoming", credential: nil, user: nil,
                        expires: waiting.code.expires.description))
            }
        }
        let page = try credentials.saved.passwords(of: site, limit: Limits.listDefault, request) { id, version in
            permit.shows(.code, of: id, version, to: request)
        }
        var kept: SuggestedCodes?
        var added = 0
        for summary in page.elements where summary.hasOneTimeCode {
            // One that cannot be read keeps the others, and the passwords, from nobody.
            guard let found = try credentials.saved.credential(summary.id), let kind = found.readableCodeKind else {
                continue
            }
            guard case .counter = kind else {
                planned.append(
                    .ready(
                        SuggestedCode(
                            code: found.id.codeName, source: kind.source, credential: found.id.description,
                            user: found.user, expires: nil)))
                continue
            }
            let all = if let kept { kept } else { try codes.codes.suggested() }
            kept = all
            let plan = SuggestedCodes.Plan(of: found.id, for: try request.subject(), form: name)
            if let entry = all.entry(of: plan) {
                planned.append(.ready(SuggestedCode(entry, user: found.user)))
            } else {
                try all.requireCapacity(for: plan, besides: added)
                added += 1
                planned.append(.counter(plan, user: found.user))
            }
        }
        return CodePlan(codes: planned, kept: kept, hasMore: page.next != nil)
    }
}

extension CodeEffects {
    /// Those of counters are kept together, all or none, when this returns.
    func suggest(
        _ plan: Result<CodePlan, NotOffered>, _ fields: [String]
    ) -> Result<OneTimeCodeSuggestion, NotOffered>? {
        plan.flatMap { plan in
            var kept = plan.kept ?? SuggestedCodes()
            let before = kept.entries.count
            let codes = plan.codes.map { code in
                switch code {
                case .ready(let code): return code
                case .counter(let plan, let user):
                    let entry = self.codes.suggestion(of: plan)
                    kept.entries.append(entry)
                    return SuggestedCode(entry, user: user)
                }
            }
            do throws(Refusal) { if kept.entries.count > before { try self.codes.keep(kept) } } catch {
                return .failure(NotOffered(refusals: [error]))
            }
            return .success(OneTimeCodeSuggestion(fields: fields, codes: codes, hasMore: plan.hasMore))
        }
    }
}

extension SuggestedCodes {
    /// The suggestion of this form and credential that there is.
    fileprivate func entry(of plan: Plan) -> Entry? {
        entries.first { entry in
            guard let form = plan.form, let other = entry.form else { return false }
            return form.utf8.elementsEqual(other.utf8) && entry.credential == plan.credential.description
                && plan.subject.isAtLeast(entry.subject)
        }
    }

    /// - Parameter added: how many more are to be kept already.
    fileprivate func requireCapacity(for plan: Plan, besides added: Int) throws(Unsettled) {
        guard entries.count + added < Limits.suggestedCodes,
            entries.count(where: { $0.app == plan.subject.app }) + added < Limits.codesPerApp
        else {
            throw Unsettled([Refusal(.tooManyCodes, retryAfterMilliseconds: Int64(Limits.suggestedCodeMilliseconds))])
        }
    }
}

extension SuggestedCode {
    fileprivate init(_ entry: SuggestedCodes.Entry, user: String) {
        self.init(
            code: entry.id, source: "counter", credential: entry.credential, user: user,
            expires: Timestamp(milliseconds: Int64(entry.expires)).description)
    }
}
