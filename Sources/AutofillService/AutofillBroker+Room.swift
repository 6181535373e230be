// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// How many credentials apps may make without the person's proof.
extension AutofillBroker {
    /// Takes the room for another credential of a service that this app writes. Whose the credentials are is sealed in them,
    /// so those are counted that the app has made since the start: that costs the same however many there are.
    func takeRoom(for service: Service, writtenBy app: String) throws(RefusedRequest) {
        let open = try vault.unlocked()
        let here = try attempting { () throws(VaultError) in try open.credentialCount(for: service) }
        guard here < Limits.credentialsPerService, madeCredentials[app, default: 0] < Limits.credentialsPerApp else {
            throw RefusedRequest(.tooManyCredentials, [.domain: service.value])
        }
        madeCredentials[app, default: 0] += 1
    }
}
