// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import OneTimeCodes
internal import SecretMemory

/// An entry of an import as a credential.
extension ImportedEntry {
    func staged(by writer: Subject, at sites: Sites) -> ImportEntry {
        var remarks: [ImportRemark] = []
        var details = CredentialDetails(
            label: title, notes: notes, tags: tags,
            fields: fields.map { CustomField(name: $0.name, value: $0.value, isSecret: $0.isSecret) },
            collection: folder)
        let services = services(at: sites, &details, &remarks)
        var code = code
        if let uri = code, !uri.withUnsafeBytes({ (try? OneTimePassword(uri: $0)) != nil }) {
            Self.add("one-time code", uri, isSecret: true, .code, to: &details, &remarks)
            code = nil
        }
        if isFavourite, !details.tags.contains(Self.favourite) {
            if details.tags.count < Limits.tags {
                details.tags.append(Self.favourite)
            } else {
                remarks.append(ImportRemark(.tag, .tooMany))
            }
        }
        if let first = services.first, first.service.value.utf8.elementsEqual(title.utf8) { details.label = "" }
        if details != CredentialDetails() { details.writer = writer }
        let credential = Credential(
            id: ObjectID(kind: .credential, high: 0, low: 0), services: services, user: user,
            password: password ?? SecretBytes(count: 0) { _ in }, oneTimeCode: code, details: details,
            created: Self.time(times.created) ?? .unknown, changed: Self.time(times.changed) ?? .unknown,
            lastUsed: Self.time(times.used), writer: writer,
            previous: history.map { former in
                let replaced = Self.time(former.replaced) ?? Self.time(times.changed) ?? .unknown
                return Credential.Previous(password: former.password, replaced: replaced)
            }, codeWriter: code.map { _ in writer },
            passkeys: passkeys.map { passkey in
                Passkey(
                    credentialID: passkey.credentialID, relyingParty: passkey.relyingParty, user: passkey.user,
                    displayName: passkey.displayName, userHandle: passkey.userHandle, key: passkey.key)
            })
        return ImportEntry(credential, line: line, remarks: remarks)
    }

    /// What an entry without a password would fill is nothing: it has its title instead of a site.
    private func services(
        at sites: Sites, _ details: inout CredentialDetails, _ remarks: inout [ImportRemark]
    ) -> [CredentialService] {
        let isFilled = (password?.count ?? 0) > 0
        var services: [CredentialService] = []
        for site in self.sites where !site.isEmpty {
            let url = urls.contains(site) ? sites.saved(asURL: site) : nil
            let found = isFilled ? url.map { [$0] } ?? sites.saved(at: site) : []
            if found.isEmpty {
                Self.add("site", SecretBytes(utf8: site), isSecret: false, .site, to: &details, &remarks)
            }
            let isExact = exactSites.contains(site)
            for service in found {
                let new = CredentialService(service, match: isExact ? .exact : nil)
                if let index = services.firstIndex(where: { $0.service == service }) {
                    // Of two addresses of one site, the one that is filled at more hosts.
                    if !isExact { services[index] = new }
                } else {
                    services.append(new)
                }
            }
        }
        if services.isEmpty {
            services = [CredentialService(Service(kind: .title, value: title.isEmpty ? user : title))]
        }
        return Array(services.prefix(Limits.servicesPerCredential))
    }

    /// Keeps as a field what has no other place.
    private static func add(
        _ name: String, _ value: SecretBytes, isSecret: Bool, _ component: ImportRemark.Component,
        to details: inout CredentialDetails, _ remarks: inout [ImportRemark]
    ) {
        guard details.fields.count < Limits.customFields else {
            return remarks.append(ImportRemark(component, .tooMany))
        }
        details.fields.append(CustomField(name: name, value: value, isSecret: isSecret))
        remarks.append(ImportRemark(component, .keptAsField))
    }

    private static func time(_ milliseconds: Int?) -> Timestamp? {
        milliseconds.map { Timestamp(milliseconds: Int64($0)) }
    }
}

extension Timestamp {
    /// The file does not have it.
    fileprivate static let unknown = Timestamp(milliseconds: 0)
}
