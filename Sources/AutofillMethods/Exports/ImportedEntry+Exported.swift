// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import SecretMemory

/// A credential as an entry of which an import makes the same one again.
extension ImportedEntry {
    init(_ credential: Credential) {
        let details = credential.details
        let sites = Self.sites(of: credential)
        let isNote =
            credential.user.isEmpty && credential.password.count == 0 && credential.oneTimeCode == nil
            && sites.isEmpty && credential.passkeys.isEmpty
        self.init(
            isNote ? .note : .login, title: Self.title(of: credential), user: credential.user,
            password: Self.filled(credential.password), notes: details.notes.flatMap(Self.filled), sites: sites,
            code: credential.oneTimeCode, folder: details.collection,
            tags: details.tags.filter { $0 != Self.favourite }, isFavourite: details.tags.contains(Self.favourite),
            fields: details.fields.map { CustomFieldValue(name: $0.name, value: $0.value, isSecret: $0.isSecret) },
            history: credential.previous.map { former in
                let replaced = former.replaced.milliseconds > 0 ? former.replaced : credential.changed
                return ImportedPassword(password: former.password, replaced: Int(replaced.milliseconds))
            },
            passkeys: credential.passkeys.map { passkey in
                ImportedPasskey(
                    credentialID: passkey.credentialID, relyingParty: passkey.relyingParty, user: passkey.user,
                    displayName: passkey.displayName, userHandle: passkey.userHandle, key: passkey.key)
            },
            times: ImportedTimes(
                created: Int(credential.created.milliseconds), changed: Int(credential.changed.milliseconds),
                used: credential.lastUsed.map { Int($0.milliseconds) }))
    }

    /// The tag that an import makes of `favourite`.
    static let favourite = "favourite"

    private static func filled(_ secret: SecretBytes) -> SecretBytes? { secret.count > 0 ? secret : nil }

    /// An entry without a label is named by its first service, as everywhere; an import leaves such a title out again.
    private static func title(of credential: Credential) -> String {
        let first = credential.service
        guard credential.details.label.isEmpty, first.value.utf8.count <= Limits.credentialLabelBytes,
            first.kind.isOfSites || !first.value.utf8.elementsEqual(credential.user.utf8)
        else { return credential.details.label }
        return first.value
    }

    /// The addresses of which an import makes the services again: the two that it makes of an http page are one.
    private static func sites(of credential: Credential) -> [String] {
        var sites: [String] = []
        for service in credential.services.map(\.service) where service.kind.isOfSites {
            var site = service.value
            if service.kind == .domain {
                let page = Service(kind: .origin, value: "http://\(service.value)")
                site = credential.isFor(page) ? page.value : "https://\(service.value)"
            }
            if !sites.contains(site) { sites.append(site) }
        }
        return sites
    }
}
