// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import Credentials
internal import PeerIdentity
internal import Reasons

extension Grant {
    /// Whether it is for this subject: the same app, at this assurance or a higher one, and the same executable unless
    /// it is for any.
    func covers(_ other: Subject) -> Bool {
        guard let mine = Assurance(rawValue: subject.assurance), let theirs = Assurance(rawValue: other.assurance)
        else {
            return false
        }
        // By bytes: two paths that are only canonically equivalent are two files.
        return subject.app.utf8.elementsEqual(other.app.utf8) && theirs >= mine
            && (subject.executable.isEmpty || subject.executable.utf8.elementsEqual(other.executable.utf8))
    }
}

extension Session {
    /// The client as the vault knows it; throws where claim and evidence contradict each other.
    func subject() throws(Unsettled) -> Subject {
        guard let app else { throw Unsettled(.internalFault) }
        guard let subject = app.subject else {
            throw Unsettled(.identityMismatch, [.app: app.bundleID.text])
        }
        return subject
    }
}
