// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import SecretMemory

/// A credential as an entry of which an import makes the same one again.
extension ImportedEntry {
    init(_ credential: Credential) {
        let details = credential.details
        let addresses = Self.addresses(of: credential)
        let isNote =
            credential.user.isEmpty && credential.password.count == 0 && credential.oneTimeCode == nil
            && addresses.isEmpty && credential.passkeys.isEmpty
        self.init(
            isNote ? .note : .login, title: Self.title(of: credential), user: credential.user,
            password: Self.filled(credential.password), notes: details.notes.flatMap(Self.filled),
            sites: addresses.map(\.text), exactSites: addresses.filter(\.isExact).map(\.text),
            urls: addresses.filter(\.isURL).map(\.text), code: credential.oneTimeCode, folder: details.collection,
            tags: details.tags.filter { $0 != Self.favourite }, isFavourite: details.tags.contains(Self.favourite),
            fields: details.fields.map(CustomFieldValue.init),
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

    /// An address of which an import makes services again.
    private struct Address {
        let text: String
        let isURL: Bool
        var isExact: Bool
    }

    /// The addresses of all services: the two that an import makes of an http page are one.
    private static func addresses(of credential: Credential) -> [Address] {
        let services = credential.services.filter { $0.service.kind.isOfSites }
        let urls = services.map(\.service).filter { $0.kind == .url }.map(\.value)
        var addresses: [Address] = []
        for one in services {
            let (service, isExact) = (one.service, one.match == .exact)
            var text = service.value
            if service.kind == .domain {
                let page = Service(kind: .origin, value: "http://\(service.value)")
                text = credential.isFor(page) ? page.value : "https://\(service.value)"
            }
            // The same site, as another text than a helper's.
            while service.kind != .url, urls.contains(text) { text += "/" }
            if let index = addresses.firstIndex(where: { $0.text == text }) {
                // Only the domain may be filled at further hosts, and not the http page.
                if service.kind == .domain { addresses[index].isExact = isExact }
            } else {
                addresses.append(Address(text: text, isURL: service.kind == .url, isExact: isExact))
            }
        }
        return addresses
    }
}
