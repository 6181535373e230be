// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What is kept between requests for offers and for what apps save: quotas.
final class OfferDesk {
    /// When offers were last looked through for those that have expired, in milliseconds of the steady clock.
    private var lastExpiry: Int64 = 0
    /// How many new credentials each app has made since the start.
    private var madeCredentials: [String: Int] = [:]
    var items = ItemMakers()

    /// Whether there is room for another credential of a service that this app writes. Whose the credentials are is sealed in
    /// them, so those are counted that the app has made since the start: that costs the same however many there are.
    func checkRoom(for service: Service, writtenBy app: String, _ vault: Vault) throws(RefusedRequest) {
        let hasRoom = try attempting { () throws(VaultError) in
            try vault.readers.credentials.hasFewer(than: Limits.credentialsPerService, for: service)
        }
        guard hasRoom, madeCredentials[app, default: 0] < Limits.credentialsPerApp else {
            throw RefusedRequest(.tooManyCredentials, [.domain: service.value])
        }
    }

    /// An app has made a credential.
    func noteMade(by app: String) { madeCredentials[app, default: 0] += 1 }

    /// Whether offers are to be looked through: at most every ten seconds, since it reads them all.
    func mayExpire(at now: Timestamp) -> Bool {
        guard now.milliseconds - lastExpiry >= 10_000 else { return false }
        lastExpiry = now.milliseconds
        return true
    }
}
