// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialDelete: JudgedCall {
    typealias Area = CredentialMethods

    func promptText(_ views: CredentialViews) throws(Unsettled) -> String? {
        "delete the password saved for \(try views.shownCredential(name))"
    }

    /// The credential to be deleted; nil for one that was deleted by its writer, who may repeat that.
    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Sealed<Credential>? {
        let (found, service) = try views.change(name, request)
        guard !request.isProven, !request.owns(.password, of: found.id, found.version) else { return found }
        if found.isDeleted {
            if request.hasDeleted(found.id, found.version) { return nil }
            if try views.access.isOwn(found.writer, request) { return nil }
        }
        guard try views.access.mayChangeOthers(of: service, request) else { throw Unsettled(.notOwn) }
        return found
    }

    func act(on found: Sealed<Credential>?, _ effects: CredentialEffects) throws(Refusal) -> Changed {
        guard let found else { return Changed(false) }
        return Changed(try effects.saved.delete(found, ifVersion: ifVersion.map(storedVersion)))
    }
}
