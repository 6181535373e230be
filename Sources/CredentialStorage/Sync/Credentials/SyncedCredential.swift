// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// Credentials as what machines merge, and the reverse.
enum SyncedCredential {
    /// What of a credential is synced: all but the subjects, its version, and when it was last used.
    static func record(_ credential: Credential) -> EarlierRecord {
        var record = EarlierRecord(
            id: credential.id, created: credential.created, changed: credential.changed, user: credential.user,
            sites: credential.services.map { SyncedService.site(of: $0.service, in: credential) },
            password: SyncSecret(credential.password))
        record.formerPasswords = credential.previous.reversed().map {
            EarlierRecord.Former(SyncSecret($0.password), replaced: $0.replaced)
        }
        func code(_ uri: SecretBytes) -> SyncSecret {
            let split = CodeCounter(splitting: uri)
            let secret = SyncSecret(split.uri)
            if let value = split.value { record.counters.append(EarlierRecord.Counter(of: secret, value: value)) }
            return secret
        }
        record.code = credential.oneTimeCode.map(code)
        record.formerCodes = credential.formerCodes.reversed().map {
            EarlierRecord.Former(code($0.uri), replaced: $0.replaced)
        }
        record.fields = SyncedFields(credential).values
        record.isDeleted = credential.deleted != nil
        return record
    }

    /// The credential that shows what was merged; nil where no password or no service is left.
    ///
    /// - Parameters:
    ///   - present: the one that is to be replaced, for what is not synced.
    ///   - deleted: what a deletion is recorded with that `present` does not have; nil: `now`.
    ///   - writer: the subject that wrote an element on this machine.
    static func credential(
        _ view: SyncMerge.RecordView, in state: SyncState, over present: Credential?, at now: Timestamp,
        deletedAt deleted: Timestamp? = nil, writer: (Mark) -> Subject?
    ) -> Credential? {
        let fields = FieldReader(view.fields)
        let kind = fields.text("kind").map { Credential.Kind(rawValue: $0) } ?? .password
        let services = fields.sorted(view.sites).compactMap { site -> CredentialService? in
            guard let service = SyncedService.service(site, kind: kind) else { return nil }
            return fields.read("service/" + site) { CredentialService(from: &$0) } ?? CredentialService(service)
        }
        guard let password = view.password, let user = view.user, !services.isEmpty else { return nil }
        let group = [view.id] + view.aliases
        func subject(_ stamp: Stamp) -> Subject { writer(Mark(of: stamp)) ?? .otherMachine }
        func uri(_ code: SyncMerge.RecordView.Code) -> SecretBytes {
            CodeCounter.joining(code.uri.bytes, state.counter(of: code.uri, in: group))
        }
        let elements = group.flatMap { state.records[$0]?.elements ?? [] }
        let newest = elements.map(\.stamp.time).max() ?? now
        var credential = Credential(
            id: view.id, kind: kind, services: services, user: user, password: password.secret.bytes,
            rules: fields.text("rules"), oneTimeCode: view.code.map(uri), details: details(fields),
            created: fields.read("created") { $0.time() } ?? elements.map(\.stamp.time).min() ?? now, changed: newest,
            lastUsed: present?.lastUsed, writer: subject(password.stamp),
            deleted: view.isAlive ? nil : present?.deleted ?? deleted ?? now,
            codeWriter: view.code.map { subject($0.stamp) },
            passkeys: fields.list("passkey/") { _, reader in Passkey(from: &reader) },
            unknown: fields.list("unknown/") { name, reader in unknown(name, &reader) }.compactMap(\.self))
        let passwords = [password] + view.history
        credential.previous = zip(view.history, passwords).map { former, next in
            Credential.Previous(password: former.secret.bytes, replaced: next.stamp.time)
        }
        credential.formerCodes = formerCodes(view, elements, uri)
        let written = elements.filter { isDetail($0.kind) }.max()
        credential.details.writer = written.map { subject($0.stamp) }
        return credential
    }

    private static func details(_ fields: FieldReader) -> CredentialDetails {
        CredentialDetails(
            label: fields.text("label") ?? "", notes: fields.read("notes") { $0.secret() },
            tags: fields.list("tag/") { _, reader in FieldReader.text(&reader) },
            fields: fields.list("custom/") { _, reader in CustomField(from: &reader) },
            collection: fields.text("collection") ?? "")
    }

    private static func unknown(_ name: String, _ reader: inout BinaryReader) -> UnknownField? {
        let length = reader.remaining
        guard let tag = UInt8(name), let content = reader.take(length) else { return nil }
        return UnknownField(tag: tag, content: SecretBytes(copying: content))
    }

    /// Each was replaced when the next later element of a code was written, be it "no code".
    private static func formerCodes(
        _ view: SyncMerge.RecordView, _ elements: [Element], _ uri: (SyncMerge.RecordView.Code) -> SecretBytes
    ) -> [Credential.FormerCode] {
        let times = elements.filter { $0.kind == .code }.sorted().map(\.stamp)
        return view.formerCodes.map { former in
            let next = times.first { former.stamp < $0 } ?? former.stamp
            return Credential.FormerCode(uri: uri(former), replaced: next.time)
        }
    }

    /// Whether it is one of the values whose writer `CredentialDetails` has.
    static func isDetail(_ kind: ElementKind) -> Bool {
        guard case .field(let name) = kind else { return false }
        return ["label", "notes", "collection"].contains(name) || name.hasPrefix("tag/") || name.hasPrefix("custom/")
    }
}
