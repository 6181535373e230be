// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses in a method: Tests/guarantees compiles this file and expects just these errors.
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Reasons
import SecretMemory

@testable import AutofillMethods
// expected-note 8 {{add import of module 'VaultFormat'}}

// The control: what a method may do compiles.

func judgeReads(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Sealed<Credential> {
    let service = Service(kind: .domain, value: "shop.example.com")
    let permit = try views.access.toAccess(.password, of: service, request)
    guard let found = try views.saved.credential(named: "cred"), permit.isGranted else {
        throw Unsettled(.credentialNotFound)
    }
    return found
}

func actReleases(
    _ found: Sealed<Credential>, _ permit: Permit, _ effects: CredentialEffects
) throws(Refusal) -> SecretBytes { try effects.releases.open(found, under: permit, isUse: true).record.password }

// What judges changes nothing.

func judgeWrites(_ views: CredentialViews, _ draft: CredentialDraft) throws(Refusal) {
    _ = try views.saved.save(draft, ifVersion: 1)  // expected-error {{has no member 'save'}}
}

func judgeUsesVault(_ views: CredentialViews) {
    _ = views.saved.vault  // expected-error {{inaccessible}}
}

func judgeSets(_ views: SettingViews, _ session: SessionViews) {
    _ = views.settings.apply  // expected-error {{has no member 'apply'}}
    _ = views.settings.changes  // expected-error {{has no member 'changes'}}
    _ = session.settings.write  // expected-error {{has no member 'write'}}
}

// The vault's rows and keys are in a module that no method may import, and whose types are opaque to it.

func judgeNamesFormat(_ row: RecordRow) {}  // expected-error {{cannot find type 'RecordRow' in scope}}

func judgeUsesRecovery(_ vault: Vault) throws {
    _ = vault.recovery.file  // expected-error 2 {{not available due to missing import}}
    _ = try vault.recovery.unlocked  // expected-error 3 {{not available due to missing import}}
}

func judgeReadsVaultKey(_ outcome: UnlockOutcome) {
    _ = outcome.opened?.vaultKey  // expected-error 3 {{not available due to missing import}}
}

// Long work names what it does: the vault itself would give every secret and every change, without permit and record.

func worksOnVault(_ care: VaultCare, _ request: RequestContext) async throws(RefusedRequest) -> Int {
    try await care.workUnlocked(request) { _ in 0 }  // expected-error {{inaccessible}}
}

func worksInSteps(_ care: VaultCare, _ request: RequestContext) async throws(RefusedRequest) -> Int {
    try await care.workInSteps(request) { _, _ in 0 }  // expected-error {{inaccessible}}
}

func judgeChangesRequest(_ request: RequestView) {
    request.context.notes.followUps = []  // expected-error {{inaccessible}}
}

func judgeMakesEffects(_ audit: Audit, _ request: RequestView) {
    _ = ReleaseLog(audit, request)  // expected-error {{cannot convert value of type 'RequestView'}}
}

// Secrets are opened only under a permit, and on record.

func judgeReadsSecret(_ found: Sealed<Credential>) -> SecretBytes {
    found.record.password  // expected-error {{inaccessible}}
}

func forgesPermit(_ service: Service) -> Permit {
    Permit(service, .granted(nil))
    // expected-error@-1 {{initializer is inaccessible}}
    // expected-error@-2 {{'granted' is inaccessible}}
}

func sealsItself(_ credential: Credential) -> Sealed<Credential> {
    Sealed(credential)  // expected-error {{inaccessible}}
}

func actReads(_ effects: CredentialEffects, _ id: ObjectID) throws(Unsettled) {
    _ = try effects.saved.credential(id)  // expected-error {{has no member 'credential'}}
}

// What acts does not wait.

func actWaits(_ effects: CredentialEffects) throws(Refusal) {
    throw Unsettled.waits(for: .turn)  // expected-error {{cannot be converted to error type 'Refusal'}}
}

func later() async {}

func actSuspends(_ effects: CredentialEffects) throws(Refusal) {  // expected-note {{add 'async'}}
    await later()  // expected-error {{'async' call in a function that does not support concurrency}}
}

// A decision holds no view, no effect and no request.

struct ViewsDecision: Sendable {
    let views: CredentialViews  // expected-error {{non-Sendable type}}
}

struct EffectsDecision: Sendable {
    let effects: CredentialEffects  // expected-error {{non-Sendable type}}
}

struct RequestDecision: Sendable {
    let request: RequestContext  // expected-error {{non-Sendable type}}
}

nonisolated func decideByClosure(_ views: CredentialViews) -> @Sendable () -> Bool {
    { views.quotas.hasCredentialCapacity(for: "") }  // expected-error {{@Sendable}}
}

var stash: CredentialEffects?  // expected-error {{not concurrency-safe}}
// expected-note@-1 {{convert 'stash' to a 'let' constant}}
// expected-note@-2 {{add '@MainActor'}}
// expected-note@-3 {{disable concurrency-safety checks}}

// A call runs in its own area.

func wrongArea(_ area: KeychainMethods, _ received: ReceivedRequest, _ engine: isolated AutofillEngine) {
    engine.run(CredentialGet.self, in: area, received)  // expected-error {{conform to 'AsyncCall'}}
}
