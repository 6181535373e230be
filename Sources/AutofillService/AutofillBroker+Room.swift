// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// How many credentials each app had last written when that was looked at.
struct CredentialWriters {
    private(set) var counts: [String: Int] = [:]
    private var looked: Timestamp?

    /// Whether it is time to look again: each look opens all credentials.
    func isStale(at now: Timestamp) -> Bool {
        looked.map { !(0..<10_000).contains(now.milliseconds - $0.milliseconds) } ?? true
    }

    mutating func note(_ counts: [String: Int], at now: Timestamp) {
        self.counts = counts
        looked = now
    }

    /// One more, which the next look will find.
    mutating func add(_ app: String) { counts[app, default: 0] += 1 }
}

/// How many credentials apps may make without the person's proof.
extension AutofillBroker {
    /// Whether there is room for another credential of a service that this app writes.
    func checkRoom(for service: Service, writtenBy app: String) throws(RefusedRequest) {
        let open = try vault.unlocked()
        let here = try attempting { () throws(VaultError) in try open.credentialCount(for: service) }
        let all = open.counts.map { $0.credentials + $0.deletedCredentials } ?? 0
        guard here < Limits.credentialsPerService, all < Limits.credentials,
            try hasRoom(app, among: all, open)
        else { throw RefusedRequest(.tooManyCredentials, [.domain: service.value]) }
    }

    /// Whose they are is sealed in them: looked at only where one app may have its share.
    private func hasRoom(_ app: String, among all: Int, _ open: Vault) throws(RefusedRequest) -> Bool {
        guard all >= Limits.credentialsPerApp else { return true }
        if credentialWriters.isStale(at: now) {
            credentialWriters.note(
                try attempting { () throws(VaultError) in try open.credentialWriters() }, at: now)
        }
        guard credentialWriters.counts[app, default: 0] < Limits.credentialsPerApp else { return false }
        credentialWriters.add(app)
        return true
    }
}
