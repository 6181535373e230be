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
        return Answer(
            protocolVersion: Limits.protocolVersions.upperBound, vault: status.vault,
            daemon: seesAll ? state(views, request) : nil)
    }

    private func state(_ views: SessionViews, _ request: RequestView) -> DaemonState {
        let (status, product) = (views.status, views.status.product)
        let counts = status.counts
        return DaemonState(
            version: product.version, isEphemeral: product.isEphemeral, vaultPath: status.path,
            credentials: counts?.credentials, pendingOffers: counts?.pendingOffers, clients: status.clients,
            apps: status.apps, problems: status.problems, isMemoryLocked: SecretBytes.allLocked,
            isDerivationLocked: PassphraseCost.isMemoryLocked, settingsPath: views.settings.path, work: status.work,
            terminalProofSeconds: status.terminalProofSeconds(request))
    }
}
