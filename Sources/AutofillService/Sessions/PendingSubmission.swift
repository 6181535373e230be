// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import Credentials
package import SecretMemory

/// What the user typed into a form that was sent, while it is not known whether the site accepted it.
package struct PendingSubmission: Sendable {
    package let service: ServiceIdentifier
    /// The client's name for the form.
    package let form: String?
    /// As it was typed, in this form or on the page before.
    package let user: String?
    package let password: SecretBytes
    /// Whether the form asked for a new password.
    package let isNewPassword: Bool
    /// Of a change of password.
    package let currentPassword: SecretBytes?

    package init(
        service: ServiceIdentifier, form: String?, user: String?, password: SecretBytes, isNewPassword: Bool,
        currentPassword: SecretBytes?
    ) {
        (self.service, self.form, self.user, self.password) = (service, form, user, password)
        (self.isNewPassword, self.currentPassword) = (isNewPassword, currentPassword)
    }
}

/// Those of one connection, by the ids under which they are confirmed or withdrawn: in memory only, the latest ones, and for a
/// limited time.
struct PendingSubmissions {
    private var kept: [Entry] = []

    private struct Entry {
        let id: String
        let expires: Timestamp
        let submission: PendingSubmission
    }

    /// - Returns: until when it can be confirmed.
    mutating func keep(_ submission: PendingSubmission, as id: String, at now: Timestamp) -> Timestamp {
        let expires = now.advanced(byMilliseconds: Int64(Limits.submissionMilliseconds))
        kept.removeAll { $0.expires <= now }
        kept = kept.suffix(Limits.pendingSubmissions - 1)
        kept.append(Entry(id: id, expires: expires, submission: submission))
        return expires
    }

    func submission(_ id: String, at now: Timestamp) -> PendingSubmission? {
        kept.first { $0.id == id && $0.expires > now }?.submission
    }

    /// - Returns: whether it was pending.
    mutating func withdraw(_ id: String, at now: Timestamp) -> Bool {
        let isPending = submission(id, at: now) != nil
        kept.removeAll { $0.id == id || $0.expires <= now }
        return isPending
    }

    mutating func removeAll() { kept = [] }
}
