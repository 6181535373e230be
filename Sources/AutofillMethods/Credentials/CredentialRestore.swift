// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Reasons

/// Restores a deleted credential.
extension CredentialRestore: JudgedCall {
    typealias Area = CredentialMethods

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> ObjectID {
        try views.saved.requireOpenVault()
        guard let id = ObjectID(credential), id.kind == .credential else { throw Unsettled(.credentialNotFound) }
        return id
    }

    func act(on id: ObjectID, _ effects: CredentialEffects) throws(Refusal) -> Changed {
        Changed(try effects.saved.restore(id))
    }
}
