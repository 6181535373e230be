// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
internal import Reasons

/// What an app keeps for itself: keychain items, verifiers, who is signed in, offers.
///
/// Of a program that runs other people's programs (an interpreter, an AppImage) the kernel reports nothing that distinguishes one
/// app from another. What such an app has kept it gets by the user's consent once, for its script as far as that is reported,
/// until the login ends; what it makes on a connection is its own there.
extension Access {
    /// Whether what `writer` made or wrote is the client's own, without consent or by consent that was given.
    package func isOwn(_ writer: Subject, _ request: RequestView) throws(Unsettled) -> Bool {
        guard try request.subject().isAtLeast(writer) else { return false }
        return try hasOwnDataConsent(request)
    }

    /// Throws what asks the user whether the client is the app that its own data is for; returns where that is not in doubt.
    package func requireOwnDataConsent(_ request: RequestView) throws(Unsettled) {
        guard let owner = request.app?.owner else { return }
        if request.isAllowed(Allowance(matter: .own, subject: owner, service: .ownData(of: owner))) { return }
        if try hasOwnDataConsent(request) { return }
        let names: [Refusal.Parameter: String] = [.app: owner.app, .domain: owner.app]
        if request.interaction == .forbid || !request.mayPrompt { throw Unsettled(.interactionRequired, names) }
        throw try questions.asking(
            .own, request, .ownData(of: owner), of: owner, unasked: Refusal(.grantMissing, names))
    }

    /// Whether the client is the app that its own data is for, or the user has confirmed it.
    package func hasOwnDataConsent(_ request: RequestView) throws(Unsettled) -> Bool {
        guard let owner = request.app?.owner, request.ownDataConsent != owner else { return true }
        if settings.asksEveryTime { return false }
        return try grants.remembered(owner, .ownData(of: owner))?.decision == .allow
    }
}

extension Service {
    /// An app's own data in the user's consent. No access group's service is called so: it has no slash.
    static func ownData(of owner: Subject) -> Service { Service(kind: .keychain, value: owner.app) }
}
