// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Who is signed in to an app: a current user, and a verifier of the password. Both are in the vault.
extension AutofillBroker {
    func startSignIn(_ request: Request, _ client: Client, _ writer: inout JSONWriter) -> Deferred? {
        var version: UInt64 = 0
        var seen: CurrentUser?
        return deferring(request, client, &writer) { [unowned self] (call: SignInStart) throws(RefusedRequest) in
            let place = try signInPlace(call, client)
            seen = try currentUser(client)
            if let seen { try authorise(client, toSee: seen, call.interaction) }
            version = try authorise(client, toReplace: call.email, at: place, call.interaction)
            return .hash(call.password)
        } then: { [unowned self] (call: SignInStart, derived) throws(RefusedRequest) in
            let hash = try derived.passwordHash()
            let place = try signInPlace(call, client)
            let subject = try subject(of: client)
            // Nobody else has signed in or out while the hash was made.
            guard try currentUser(client) == seen else { throw RefusedRequest(.versionMismatch) }
            if let former = seen, try verifierID(of: former) != verifier(place, call.email)?.id {
                try removeVerifier(of: former)
            }
            _ = try keep(hash, for: call.email, at: place, subject, ifVersion: version)
            try set(
                CurrentUser(name: call.name, email: call.email, service: place.service, writer: subject), of: client)
            loginStatusChanged(client, isSignedIn: true)
            return SignInState(isSignedIn: true, user: SignInUser(name: call.name, email: call.email))
        }
    }

    /// First the verifier goes, then the user: what a crash leaves between the two counts as signed out.
    func endSignIn(_ call: SignInEnd, _ client: Client) throws(RefusedRequest) -> Changed {
        try examine(client, .unnamed, for: .keychainItem)
        guard let current = try currentUser(client) else { return Changed(false) }
        try authorise(client, toSee: current, call.interaction)
        try removeVerifier(of: current)
        try set(nil, of: client)
        loginStatusChanged(client, isSignedIn: false)
        return Changed(true)
    }

    func signInStatus(_ call: SignInStatus, _ client: Client) throws(RefusedRequest) -> SignInState {
        try examine(client, .unnamed, for: .keychainItem)
        guard let current = try currentUser(client), try verifierID(of: current) != nil else {
            return SignInState(isSignedIn: false, user: nil)
        }
        try authorise(client, toSee: current, call.interaction)
        try confirmPeer(of: client)
        return SignInState(isSignedIn: true, user: SignInUser(name: current.name, email: current.email))
    }

    /// The one place that tells of a change, after it has been kept.
    private func loginStatusChanged(_ client: Client, isSignedIn: Bool) {
        guard let app = client.app else { return }
        announce(.loginStatusChanged(app: app.bundleID.text, isSignedIn: isSignedIn))
    }

    private func signInPlace(_ call: SignInStart, _ client: Client) throws(RefusedRequest) -> KeychainPlace {
        let group = try accessGroup(nil, client, false)
        return KeychainPlace(group: group, service: call.service ?? group)
    }

    private func currentUser(_ client: Client) throws(RefusedRequest) -> CurrentUser? {
        guard let app = client.app?.bundleID.text else { throw RefusedRequest(.internalFault) }
        let open = try vault.unlocked()
        let stored = try attempting { () throws(VaultError) in try open.setting(CurrentUser.settingName(app)) }
        return stored.flatMap { CurrentUser(stored: $0, app: app) }
    }

    private func set(_ user: CurrentUser?, of client: Client) throws(RefusedRequest) {
        guard let app = client.app?.bundleID.text else { throw RefusedRequest(.internalFault) }
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.set(CurrentUser.settingName(app), to: user?.stored, at: now)
        }
    }

    /// The user's name is for the program that set it, and for another of the same app by the person's word.
    private func authorise(
        _ client: Client, toSee user: CurrentUser, _ interaction: Interaction
    ) throws(RefusedRequest) {
        _ = try authorise(client, toReach: user.place, writtenBy: user.writer, interaction, false)
    }

    private func verifierID(of user: CurrentUser) throws(RefusedRequest) -> ObjectID? {
        try verifier(user.place, user.email)?.id
    }

    private func removeVerifier(of user: CurrentUser) throws(RefusedRequest) {
        guard let id = try verifierID(of: user) else { return }
        let open = try vault.unlocked()
        _ = try attempting { () throws(VaultError) in try open.deleteVerifier(id) }
    }
}
