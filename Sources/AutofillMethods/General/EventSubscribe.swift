// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Settings

/// Sends events to the connection from now on. May be repeated; it then returns the state again.
extension EventSubscribe: JudgedCall {
    typealias Area = SessionMethods

    struct Decision: Sendable {
        let at: String
        let vault: String
        let settings: AppSettings
    }

    func judge(_ views: SessionViews, _ request: RequestView) -> Decision {
        Decision(
            at: views.status.now.description, vault: views.status.vault,
            settings: views.settings.appSettings(of: request.bundleID))
    }

    func act(on decision: Decision, _ effects: SessionEffects) -> Answer {
        Answer(
            epoch: effects.events.epoch, sequence: effects.events.begin(), at: decision.at, vault: decision.vault,
            settings: decision.settings)
    }
}
