// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What an app keeps for itself: keychain items, verifiers, who is signed in, offers.
///
/// Of a program that runs other people's programs (an interpreter, an AppImage) the kernel tells nothing that sets one app's
/// apart from another's. What such an app has kept it gets by the person's word once, for its script as far as that is known,
/// until the login ends; what it makes on a connection is its own there.
extension Authoriser {
    /// Whether what `writer` made or wrote is the client's own, without anybody's word or by one that was given.
    func isOwn(_ writer: Subject, of session: Session) throws(RefusedRequest) -> Bool {
        guard try session.subject().isAtLeast(writer) else { return false }
        return try hasOwnWord(session)
    }

    /// Throws what asks the person whether the client is the app that its own data is for; returns where that is not in doubt.
    func requireOwnWord(_ request: RequestContext) throws(RefusedRequest) {
        let session = request.session
        guard let owner = session.app?.owner else { return }
        if request.isAllowed(Allowance(matter: .own, subject: owner, service: .ownData(of: owner))) {
            session.memory.ownWord = owner
        }
        if try hasOwnWord(session) { return }
        let names: [Refusal.Parameter: String] = [.app: owner.app, .domain: owner.app]
        if request.interaction == .forbid || !request.mayPrompt { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(.own, request, .ownData(of: owner), of: owner, unasked: Refusal(.grantMissing, names))
    }

    /// Whether the client is the app that its own data is for, or the person has said so.
    func hasOwnWord(_ session: Session) throws(RefusedRequest) -> Bool {
        guard let owner = session.app?.owner, session.memory.ownWord != owner else { return true }
        if settings.asksEveryTime { return false }
        return try remembered(owner, .ownData(of: owner))?.decision == .allow
    }
}

extension Service {
    /// What stands for an app's own data in the person's word. No access group's service is called so: it has no slash.
    static func ownData(of owner: Subject) -> Service { Service(kind: .keychain, value: owner.app) }
}
