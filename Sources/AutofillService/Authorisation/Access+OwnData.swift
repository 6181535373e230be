// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Credentials
internal import Reasons
internal import Settings

/// What an app keeps for itself: keychain items, verifiers, who is signed in, offers.
///
/// Of a program that runs other programs (an interpreter, an AppImage) the kernel reports nothing that distinguishes one
/// app from another. What such an app has kept it gets by the user's consent, for its script as it is now, as far as that is
/// reported; what it makes on a connection is its own there.
extension Access {
    /// Whether what `writer` made or wrote is the client's own, without consent or by consent that was given.
    package func isOwn(_ writer: Subject, _ request: RequestView) throws(Unsettled) -> Bool {
        guard try request.subject().isAtLeast(writer) else { return false }
        return try hasOwnDataConsent(request)
    }

    /// Throws what asks the user whether the client is the app that its own data is for; returns where that is not in doubt.
    ///
    /// - Parameter names: what the request asks for is called, for the prompt alone.
    package func requireOwnDataConsent(_ request: RequestView, to names: [String] = []) throws(Unsettled) {
        guard let app = request.app, let owner = app.owner else { return }
        if request.isAllowed(Allowance(matter: .own, subject: owner, service: .ownData(of: owner))) { return }
        if try hasOwnDataConsent(request) { return }
        let parameters = self.names(owner.app, owner.app, request)
        if try grants.rememberedOwnData(of: owner, app)?.decision == .deny { throw Unsettled(.grantDenied, parameters) }
        if request.interaction == .forbid || !request.mayPrompt { throw Unsettled(.interactionRequired, parameters) }
        throw try questions.asking(
            .own, request, .ownData(of: owner), of: owner, ownName: PromptedItems.named(names),
            unasked: Refusal(.grantMissing, parameters))
    }

    /// Whether the client is the app that its own data is for, or the user has confirmed it.
    package func hasOwnDataConsent(_ request: RequestView) throws(Unsettled) -> Bool {
        // Shared as gnome-keyring does.
        if request.isOfSecretService, settings.effective.secretServiceIsolation == .none { return true }
        return try grants.hasOwnDataConsent(request.app, consent: request.ownDataConsent)
    }
}

extension Service {
    /// An app's own data in the user's consent. No access group's service is called so: it has no slash.
    static func ownData(of owner: Subject) -> Service { Service(kind: .keychain, value: owner.app) }
}
