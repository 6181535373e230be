// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainRename: JudgedCall {
    typealias Area = KeychainMethods

    struct Decision: Sendable {
        let id: ObjectID
        let isOwn: Bool
    }

    func promptText(_ views: KeychainViews) throws(Unsettled) -> String? {
        let name = try views.shownItem(name)
        return "rename the keychain item \(name) to \(shownPath([newPlace.namespace, newPlace.account]))"
    }

    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Decision {
        guard let item = try views.item(name, request) else { throw Unsettled(.itemNotFound) }
        _ = try views.access.toAccess(item, request)
        let place = KeychainPlace(group: item.accessGroup, service: newPlace.namespace)
        if let other = try views.items.item(place, newPlace.account), other.id != item.id {
            throw Unsettled(.itemExists)
        }
        return Decision(id: item.id, isOwn: request.hasMade(item.id, item.version))
    }

    func act(on decision: Decision, _ effects: KeychainEffects) throws(Refusal) -> KeychainSaved {
        let place = Item.Place(service: newPlace.namespace, account: newPlace.account)
        let saved = try effects.items.move(
            decision.id, to: place, ifVersion: ifVersion.map(storedVersion), isOwn: decision.isOwn)
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }
}
