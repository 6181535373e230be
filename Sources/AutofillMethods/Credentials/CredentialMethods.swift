// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `credential.*`.
struct CredentialMethods: MethodArea {
    let views: CredentialViews
    private let vault: VaultKeeper
    private let events: EventHub
    private let quotas: Quotas
    private let audit: Audit

    init(
        _ views: CredentialViews, _ vault: VaultKeeper, _ events: EventHub, _ quotas: Quotas, _ audit: Audit
    ) {
        self.views = views
        self.vault = vault
        self.events = events
        self.quotas = quotas
        self.audit = audit
    }

    func effects(for request: RequestContext) -> CredentialEffects {
        CredentialEffects(
            saved: CredentialWriter(vault, events, quotas, request), releases: ReleaseLog(audit, request))
    }
}

struct CredentialEffects {
    let saved: CredentialWriter
    let releases: ReleaseLog
}
