// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// Has the connection told from now on. May be repeated; it then gives the state anew.
extension EventSubscribe: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        Answer(
            epoch: modules.events.epoch, sequence: modules.events.subscribe(request.session),
            at: modules.clock.now.description, vault: modules.vault.word,
            settings: modules.settings.appSettings(of: request.session.app?.bundleID))
    }
}
