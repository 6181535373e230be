// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import SecretMemory
internal import Settings

extension Status: JudgedCall {
    typealias Area = SessionMethods
    typealias Decision = Answer

    func judge(_ views: SessionViews, _ request: RequestView) -> Answer {
        let status = views.status
        // How the user has it set up, and how much is saved, is not for an app in a sandbox, or without a registration.
        let seesAll =
            request.isOutsideSandbox && (request.isCommandLine || views.sites.registration(request) != nil)
        let counts = seesAll ? status.counts : nil
        let product = views.environment.product
        return Answer(
            version: product.version, isEphemeral: product.isEphemeral, vault: status.vault,
            vaultPath: seesAll ? status.path : nil, credentials: counts?.credentials,
            pendingOffers: counts?.pendingOffers,
            clients: seesAll ? status.clients : 1, apps: seesAll ? status.apps : 0,
            problems: seesAll ? status.problems : [],
            isMemoryLocked: SecretBytes.allLocked, isDerivationLocked: PassphraseCost.isMemoryLocked,
            settingsPath: seesAll ? views.settings.path : "",
            settings: views.settings.appSettings(of: request.bundleID),
            work: status.work, terminalProofSeconds: status.terminalProofSeconds(request))
    }
}
