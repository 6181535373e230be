// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import Credentials
internal import PeerIdentity
internal import Reasons

extension Grant {
    /// Whether it speaks of this subject: the same app, at this assurance or a higher one, and the same executable unless
    /// it is for any.
    func covers(_ other: Subject) -> Bool {
        guard let mine = Assurance(rawValue: subject.assurance), let theirs = Assurance(rawValue: other.assurance)
        else {
            return false
        }
        // By bytes: two paths that only look alike are two files.
        return subject.app.utf8.elementsEqual(other.app.utf8) && theirs >= mine
            && (subject.executable.isEmpty || subject.executable.utf8.elementsEqual(other.executable.utf8))
    }
}

extension Session {
    /// Who the client is to the vault; throws where word and evidence contradict each other.
    func subject() throws(RefusedRequest) -> Subject {
        guard let app else { throw RefusedRequest(.internalFault) }
        guard let subject = app.subject else {
            throw RefusedRequest(.identityMismatch, [.app: app.bundleID.text])
        }
        return subject
    }
}

extension RequestContext {
    /// Whom what is written is written by: with proof the person, through `autofillctl`.
    func writer() throws(RefusedRequest) -> Subject {
        isProven
            ? Subject(app: Session.commandLineBundleID, assurance: "claimed", executable: "administrator")
            : try session.subject()
    }

    /// What is done to the vault as a whole, and every passphrase and key, is for programs that are seen to be outside any
    /// sandbox: a sandboxed app must neither make the vault before the person does, nor shut it, nor keep the person out by
    /// wrong tries. One that hides its root directory is not seen to be, nor is one that has files, users or processes of its
    /// own, whatever made that (bubblewrap, a container).
    func requireOutsideSandbox() throws(RefusedRequest) {
        guard !session.peer.evidence.isOutsideSandbox else { return }
        throw RefusedRequest(.outsideSandboxOnly, [.app: session.app?.bundleID.text ?? ""])
    }
}
