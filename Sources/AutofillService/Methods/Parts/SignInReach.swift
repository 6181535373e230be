// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Who is signed in to an app: a current user, and a verifier of the password. Both are in the vault.
extension Modules {
    func currentUser(_ session: Session) throws(RefusedRequest) -> CurrentUser? {
        guard let app = session.app?.bundleID.text else { throw RefusedRequest(.internalFault) }
        let open = try vault.unlocked()
        let stored = try attempting { () throws(VaultError) in
            try open.readers.settings.get(CurrentUser.settingName(app))
        }
        return stored.flatMap { CurrentUser(stored: $0, app: app) }
    }

    func setCurrentUser(_ user: CurrentUser?, _ request: RequestContext) throws(RefusedRequest) {
        guard let app = request.session.app?.bundleID.text else { throw RefusedRequest(.internalFault) }
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.writers.settings.set(CurrentUser.settingName(app), to: user?.stored, at: clock.now)
        }
        // The one place that tells of a change, after it has been kept.
        events.announce(.loginStatusChanged(app: app, isSignedIn: user != nil), causedBy: request)
    }

    /// The user's name is for the program that set it, and for another of the same app by the person's word.
    func authorise(_ request: RequestContext, toSee user: CurrentUser) throws(RefusedRequest) {
        let verifier = try verifierID(of: user)
        _ = try authoriser.authorise(
            request, toReach: user.place, writtenBy: user.writer,
            isMade: verifier.map { request.session.memory.ownership.hasMade($0) } ?? false)
    }

    func verifierID(of user: CurrentUser) throws(RefusedRequest) -> ObjectID? {
        try verifier(user.place, user.account)?.id
    }

    func removeVerifier(of user: CurrentUser) throws(RefusedRequest) {
        guard let id = try verifierID(of: user) else { return }
        _ = try deleteVerifier(id)
    }
}
