// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A strong password that was suggested. It is in the vault before the app hears of it, and is never lost.
package struct Offer: Sendable {
    package enum State: Hashable, Sendable {
        case pending
        /// It became this credential.
        case accepted(ObjectID)
        case declined
        /// Its time ran out; the password stays findable as long as a deleted credential does.
        case expired
    }

    package let id: ObjectID
    package var version: UInt64
    package let subject: Subject
    package let service: Service
    /// The client's form (a UUID), or nil when each suggestion is an offer of its own.
    package let form: String?
    package let password: SecretBytes
    /// The rules it was drawn under, in canonical form.
    package let rules: String
    package let created: Timestamp
    /// Until then it may be filled and accepted; afterwards it is only findable.
    package let expires: Timestamp
    package var state: State
    /// When it was accepted or declined, or noticed to have expired.
    package var settled: Timestamp?

    package init(
        id: ObjectID, version: UInt64 = 1, subject: Subject, service: Service, form: String?, password: SecretBytes,
        rules: String, created: Timestamp, expires: Timestamp, state: State = .pending, settled: Timestamp? = nil
    ) {
        self.id = id
        self.version = version
        self.subject = subject
        self.service = service
        self.form = form
        self.password = password
        self.rules = rules
        self.created = created
        self.expires = expires
        self.state = state
        self.settled = settled
    }
}
