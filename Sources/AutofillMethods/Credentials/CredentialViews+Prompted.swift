// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials

/// What a prompt that is a proof states of credentials.
extension CredentialViews {
    /// The credential that a call names, as a prompt shows it.
    func shownCredential(_ name: CredentialName) throws(Unsettled) -> String {
        guard let service = name.service else { return try shownCredential(name.id ?? "") }
        return (name.user.map { "\(shownName($0)) at " } ?? "") + shownName(service.value)
    }

    /// The services that a call adds to those of a credential, removes, or matches differently, as the end of the prompt's sentence:
    /// who reads of one site alone must not make its password another's.
    func shownChanges(of services: [SavedService]?, in name: CredentialName) throws(Unsettled) -> String {
        guard let services else { return "" }
        let named = name.service.map { CredentialService(sites.saved($0)) }
        let former = try present(name)?.services ?? named.map { [$0] } ?? []
        let asked = services.map { asked in
            let service = sites.saved(asked.service)
            let same = former.first { $0.service == service }
            return CredentialService(
                service, match: asked.match.map(CredentialService.Match.init) ?? same?.match)
        }
        let new = asked.filter { asked in !former.contains { $0.service == asked.service && $0.match == asked.match } }
        let removed = former.filter { own in !asked.contains { $0.service == own.service } }
        guard new.count + removed.count <= Limits.promptedServices else {
            throw .invalid(
                "services",
                because: "A prompt shows at most \(Limits.promptedServices) services that are added, removed or "
                    + "matched differently.", fix: "Change fewer at once, or give another proof")
        }
        let filled = new.map { shownName($0.service.value) + ($0.match == .exact ? " alone" : " and its whole site") }
        let gone = removed.map { shownName($0.service.value) }
        return (filled.isEmpty ? "" : ", also filled at " + filled.joined(separator: " and "))
            + (gone.isEmpty ? "" : ", no longer at " + gone.joined(separator: " and "))
    }

    private func present(_ name: CredentialName) throws(Unsettled) -> Sealed<Credential>? {
        guard let service = name.service, let user = name.user else { return try saved.credential(named: name.id) }
        return try saved.password(of: user, for: sites.saved(service))
    }
}
