// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials

/// What a prompt that is a proof states of credentials.
extension CredentialViews {
    /// The credential that a call names, as a prompt shows it.
    func shownCredential(_ name: CredentialName) throws(Unsettled) -> String {
        guard let service = name.service else { return try shownCredential(name.id ?? "") }
        return (name.user.map { "\(shown($0)) at " } ?? "") + shown(service.value)
    }

    /// The services that a call adds to those of a credential, removes, or matches differently, as the end of the prompt's sentence:
    /// who reads of one site alone must not make its password another's.
    func shownChanges(of services: [SavedService]?, in name: CredentialName) throws(Unsettled) -> String {
        guard let services else { return "" }
        let former = try present(name)?.services ?? []
        let new = services.filter { asked in
            guard let same = former.first(where: { asked.isOf($0) }) else { return asked.service != name.service }
            return asked.match.map { $0 != same.match.rawValue } ?? false
        }
        let removed = former.filter { own in !services.contains { $0.isOf(own) } }
        guard new.count + removed.count <= Limits.promptedServices else {
            throw .invalid(
                "services",
                because: "A prompt shows at most \(Limits.promptedServices) services that are added, removed or "
                    + "matched differently.", fix: "Change fewer at once, or give another proof")
        }
        let words = ["exact": " alone", "site": " and its whole site"]
        let filled = new.map { shown($0.service.value) + ($0.match.flatMap { words[$0] } ?? "") }
        let gone = removed.map { shown($0.service.value) }
        return (filled.isEmpty ? "" : ", filled at " + filled.joined(separator: " and "))
            + (gone.isEmpty ? "" : ", no more at " + gone.joined(separator: " and "))
    }

    private func present(_ name: CredentialName) throws(Unsettled) -> Sealed<Credential>? {
        guard let service = name.service, let user = name.user else { return try saved.credential(named: name.id) }
        let kind = Service.Kind(rawValue: service.type)
        return try saved.password(of: user, for: Service(kind: kind, value: service.value))
    }
}

extension SavedService {
    fileprivate func isOf(_ own: CredentialService) -> Bool {
        own.service.kind.rawValue.utf8.elementsEqual(service.type.utf8)
            && own.service.value.utf8.elementsEqual(service.value.utf8)
    }
}
