// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import SecretMemory
internal import Settings

extension Status: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let (vault, catalog) = (modules.vault, modules.apps.catalog)
        vault.noteFindingsOfReads()
        // How the person has it set up, and how much they have, is nothing to an app in a sandbox.
        let isOutside = request.session.peer.evidence.isOutsideSandbox
        let counts = isOutside ? vault.opened?.counts : nil
        return Answer(
            version: modules.surroundings.version, isEphemeral: modules.surroundings.isEphemeral, vault: vault.word,
            vaultPath: isOutside ? vault.path : nil, credentials: counts?.credentials,
            pendingOffers: counts?.pendingOffers,
            clients: isOutside ? modules.sessions.all.count : 1, apps: isOutside ? catalog.registrations.count : 0,
            problems: isOutside
                ? catalog.problems.map(\.description) + modules.settings.overruled + vault.problems : [],
            isMemoryLocked: SecretBytes.allLocked, isDerivationLocked: PassphraseCost.isMemoryLocked,
            settingsPath: isOutside ? modules.settings.path : "",
            settings: modules.settings.appSettings(of: request.session.app?.bundleID),
            work: vault.lease.map { lease in
                let count = lease.progress.count
                return VaultWork(method: lease.method?.rawValue, done: count.done, all: count.all)
            },
            terminalProofSeconds: modules.terminals.secondsLeft(
                for: request.session.peer, minutes: modules.settings.effective.terminalProofMinutes,
                at: modules.clock.steady.milliseconds))
    }
}
