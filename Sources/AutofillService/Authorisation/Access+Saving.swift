// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
internal import Reasons
internal import Settings

/// Whether what the user typed is saved.
extension Access {
    /// Throws where it is not to be saved; where the setting asks for it the user is asked.
    ///
    /// - Returns: whether the user has just confirmed it; false where the setting confirms all.
    package func confirmSaving(
        _ user: String, of service: Service, isReplacing: Bool, _ request: RequestView
    ) throws(Unsettled) -> Bool {
        let names = try namesToSave(service, request)
        if settings.effective.saveSubmitted == .always { return false }
        let matter = ConsentQuestion.Matter.save(user: user, isReplacing: isReplacing)
        if try request.isAllowed(matter, service) { return true }
        if request.interaction == .forbid { throw Unsettled(.interactionRequired, names) }
        throw try questions.asking(
            matter, request, service,
            detail: isReplacing ? "It replaces the password that is saved for this user name." : "",
            unasked: Refusal(.saveUnconfirmed, names))
    }

    /// The one of several accounts that what was typed is for, as the user picks it, which confirms saving it too; nil where the
    /// setting has nobody asked. Throws where it is not to be saved.
    package func pickToSave(
        _ service: Service, among accounts: [PromptedAccount], _ request: RequestView
    ) throws(Unsettled) -> PromptedAccount? {
        let names = try namesToSave(service, request)
        if settings.effective.saveSubmitted == .always { return nil }
        if let picked = try request.pick(of: service, toSave: true) {
            return accounts.first { $0.id == picked.account }
        }
        if request.interaction == .forbid { throw Unsettled(.interactionRequired, names) }
        throw try questions.asking(
            .saveFor(accounts: accounts), request, service, unasked: Refusal(.saveUnconfirmed, names))
    }

    /// What a refusal to save names; throws where the user has decided that nothing is to be saved.
    private func namesToSave(
        _ service: Service, _ request: RequestView
    ) throws(Unsettled) -> [Refusal.Parameter: String] {
        let subject = try request.subject()
        let names: [Refusal.Parameter: String] = [
            .app: subject.app, .domain: service.asArgument, .settings: settings.path,
        ]
        let never = try grants.grants(app: subject.app, service: .every)
        if settings.effective.saveSubmitted == .never || !never.isEmpty { throw Unsettled(.saveDisabled, names) }
        return names
    }
}

extension Service {
    /// Every service, in the decision that nothing more of an app is to be saved. No domain is called so.
    static let every = Service(kind: .domain, value: "*")
}
