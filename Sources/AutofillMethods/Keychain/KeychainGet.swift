// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainGet: JudgedCall {
    typealias Area = KeychainMethods

    struct Decision: Sendable {
        let item: Sealed<Item>
        let permit: Permit
    }

    func promptText(_ views: KeychainViews) throws(Unsettled) -> String? {
        "read the keychain item \(try views.shownItem(name))"
    }

    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Decision {
        guard let item = try views.item(name, request) else { throw Unsettled(.itemNotFound) }
        return Decision(item: item, permit: try views.access.toAccess(item, request))
    }

    func act(on decision: Decision, _ effects: KeychainEffects) throws(Refusal) -> Answer {
        let item = try effects.releases.open(decision.item, under: decision.permit)
        return Answer(summary: KeychainItemSummary(decision.item), data: item.data)
    }
}
