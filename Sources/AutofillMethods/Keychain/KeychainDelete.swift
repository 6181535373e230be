// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainDelete: JudgedCall {
    typealias Area = KeychainMethods

    func promptText(_ views: KeychainViews) throws(Unsettled) -> String? {
        "delete the keychain item \(try views.shownItem(name))"
    }

    /// nil where there is none.
    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> ObjectID? {
        guard let item = try views.item(name, request) else { return nil }
        _ = try views.access.toAccess(item, request)
        return item.id
    }

    func act(on id: ObjectID?, _ effects: KeychainEffects) throws(Refusal) -> Changed {
        guard let id else { return Changed(false) }
        return Changed(try effects.items.delete(id, ifVersion: ifVersion.map(storedVersion)))
    }
}
