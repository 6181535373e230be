// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials

/// `autofill.suggest` and `autofill.fill`.
struct FormMethods: MethodArea {
    let views: FormViews
    private let codes: CodeMethods
    private let offers: OfferMethods
    private let audit: Audit

    init(
        _ codes: CodeMethods, _ offers: OfferMethods, _ generators: PasswordGenerators, _ settings: SettingReader,
        _ policy: PolicyFacts, _ audit: Audit
    ) {
        views = FormViews(
            codes: codes.views, offers: offers.views,
            passwords: StrongPasswords(codes.views.credentials.sites, generators, settings), policy: policy)
        self.codes = codes
        self.offers = offers
        self.audit = audit
    }

    func effects(for request: RequestContext) -> FormEffects {
        FormEffects(
            codes: codes.effects(for: request), offers: offers.effects(for: request).offers,
            withheld: WithheldLog(audit, request))
    }
}

struct FormViews {
    let codes: CodeViews
    let offers: OfferViews
    let passwords: StrongPasswords
    let policy: PolicyFacts

    var credentials: CredentialViews { codes.credentials }
}

struct FormEffects {
    let codes: CodeEffects
    let offers: OfferWriter
    let withheld: WithheldLog
}
