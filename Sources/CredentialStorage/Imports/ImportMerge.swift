// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// An entry of an import and a saved credential as one: nothing of either is lost.
struct ImportMerge {
    private(set) var merged: Credential
    private(set) var remarks: [ImportRemark] = []
    private let saved: Credential
    private let limits: ImportLimits

    /// - Parameters:
    ///   - writer: what the changes are recorded with.
    ///   - isFree: whether no other credential is saved for a service and the user.
    init(
        of entry: Credential, into saved: Credential, _ limits: ImportLimits, by writer: Subject? = nil,
        at now: Timestamp = Timestamp(milliseconds: 0), isFree: (Service) -> Bool = { _ in true }
    ) {
        (merged, self.saved, self.limits) = (saved, saved, limits)
        let writer = writer ?? saved.writer
        let isNewer = entry.changed.milliseconds > 0 && entry.changed > saved.changed
        mergePassword(entry, isNewer: isNewer, by: writer)
        mergeCode(entry, isNewer: isNewer, by: writer, at: now)
        mergeNotes(entry.details)
        mergeTexts(entry.details)
        for field in entry.details.fields { add(field) }
        for service in entry.services where !saved.isFor(service.service) {
            guard isFree(service.service) else {
                remarks.append(ImportRemark(.site, .taken))
                continue
            }
            add(service, to: \.services, limit: limits.services, .site)
        }
        for passkey in entry.passkeys where !merged.passkeys.contains(passkey) {
            add(passkey, to: \.passkeys, limit: limits.passkeys, .passkey)
        }
        if merged.details != saved.details { merged.details.writer = writer }
        if entry.created.milliseconds > 0 { merged.created = min(merged.created, entry.created) }
    }

    /// Whether the saved credential has all that the entry has: nothing was left out either.
    var addsNothing: Bool { RecordTransaction.isSame(merged, saved) && remarks.isEmpty }

    private mutating func mergePassword(_ entry: Credential, isNewer: Bool, by writer: Subject) {
        var former = entry.previous
        if entry.password.count > 0, !entry.password.equals(saved.password) {
            if isNewer || saved.password.count == 0 {
                // What it replaces is kept by the transaction.
                merged.password = entry.password
                merged.writer = writer
            } else {
                let time = entry.changed.milliseconds > 0 ? entry.changed : saved.changed
                former.append(Credential.Previous(password: entry.password, replaced: time))
            }
        }
        let new = former.filter { one in
            !one.password.equals(merged.password) && !saved.previous.contains { $0.password.equals(one.password) }
        }
        guard !new.isEmpty else { return }
        merged.previous = Array(
            (saved.previous + new).sorted { $0.replaced > $1.replaced }.prefix(Credential.previousLimit))
    }

    private mutating func mergeCode(_ entry: Credential, isNewer: Bool, by writer: Subject, at now: Timestamp) {
        guard let code = entry.oneTimeCode, !SecretBytes.equal(code, saved.oneTimeCode) else { return }
        if isNewer || saved.oneTimeCode == nil { return merged.setCode(code, by: writer, at: now) }
        guard !saved.formerCodes.contains(where: { $0.uri.equals(code) }) else { return }
        let former = Credential.FormerCode(uri: code, replaced: saved.changed)
        merged.formerCodes = Array((saved.formerCodes + [former]).prefix(Credential.previousLimit))
    }

    private mutating func mergeNotes(_ entry: CredentialDetails) {
        guard let notes = entry.notes, notes.count > 0 else { return }
        guard let own = saved.details.notes, own.count > 0 else { return merged.details.notes = notes }
        guard !Self.contains(notes, in: own) else { return }
        let gap: StaticString = "\n\n"
        let count = own.count + gap.utf8CodeUnitCount + notes.count
        guard count <= limits.notesBytes else { return remarks.append(ImportRemark(.notes, .tooLong)) }
        merged.details.notes = SecretBytes(count: count) { memory in
            own.withUnsafeBytes { memory.copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[own.count...])
            rest.copyMemory(from: UnsafeRawBufferPointer(start: gap.utf8Start, count: gap.utf8CodeUnitCount))
            notes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: rest[gap.utf8CodeUnitCount...]).copyMemory(from: $0)
            }
        }
    }

    /// Another title or folder than the user's own is kept as a field.
    private mutating func mergeTexts(_ entry: CredentialDetails) {
        if saved.details.label.isEmpty {
            merged.details.label = entry.label
        } else if !entry.label.isEmpty, !entry.label.utf8.elementsEqual(saved.details.label.utf8) {
            add(CustomField(name: "title", value: SecretBytes(utf8: entry.label), isSecret: false))
        }
        if saved.details.collection.isEmpty {
            merged.details.collection = entry.collection
        } else if !entry.collection.isEmpty, !entry.collection.utf8.elementsEqual(saved.details.collection.utf8) {
            add(CustomField(name: "folder", value: SecretBytes(utf8: entry.collection), isSecret: false))
        }
        for tag in entry.tags where !merged.details.tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) {
            add(tag, to: \.details.tags, limit: limits.tags, .tag)
        }
    }

    /// Under another name where the credential has a field of that name with another value.
    private mutating func add(_ field: CustomField) {
        for number in 1... {
            let suffix = number == 1 ? "" : number == 2 ? " (imported)" : " (imported \(number - 1))"
            let name = field.name + suffix
            guard name.utf8.count <= limits.fieldNameBytes else {
                return remarks.append(ImportRemark(.field, .tooLong))
            }
            if let same = merged.details.fields.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                if same.value.equals(field.value) { return }
                continue
            }
            let new = CustomField(name: name, value: field.value, isSecret: field.isSecret)
            return add(new, to: \.details.fields, limit: limits.fields, .field)
        }
    }

    /// Whether bytes are somewhere in others. The time depends on the bytes.
    private static func contains(_ fragment: SecretBytes, in whole: SecretBytes) -> Bool {
        guard fragment.count <= whole.count else { return false }
        return whole.withUnsafeBytes { whole in
            fragment.withUnsafeBytes { fragment in
                (0...(whole.count - fragment.count)).contains {
                    whole[$0..<$0 + fragment.count].elementsEqual(fragment)
                }
            }
        }
    }

    private mutating func add<Element>(
        _ element: Element, to list: WritableKeyPath<Credential, [Element]>, limit: Int,
        _ component: ImportRemark.Component
    ) {
        guard merged[keyPath: list].count < limit else {
            return remarks.append(ImportRemark(component, .tooMany))
        }
        merged[keyPath: list].append(element)
    }
}
