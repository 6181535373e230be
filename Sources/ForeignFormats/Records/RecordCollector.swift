// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Receives what a reader of a format has found, restricts it to the limits, and passes it on.
package final class RecordCollector {
    package private(set) var entries = 0
    package private(set) var notConverted = 0
    private let sink: (ForeignRecord) throws(ConversionError) -> Void
    /// Why it accepts no more.
    private var failure: ConversionError?

    package init(_ sink: @escaping (ForeignRecord) throws(ConversionError) -> Void) { self.sink = sink }

    package func report(_ record: NotConverted) {
        notConverted += 1
        var record = record
        record.title = record.title.prefix(bytes: ConversionLimits.titleBytes)
        pass(.notConverted(record))
    }

    /// Throws if something could not be passed on, or if there was too much.
    package func check() throws(ConversionError) {
        if let failure { throw failure }
    }

    package func add(_ entry: ForeignEntry) {
        var entry = entry
        var missing: [NotConverted] = []
        let (title, line) = (entry.title, entry.line)
        let isWhole = restrict(&entry) { what, reason in
            missing.append(NotConverted(title: title, what: what, reason: reason, line: line))
        }
        for record in missing { report(record) }
        guard isWhole else { return }
        entries += 1
        pass(.entry(entry))
    }

    private func pass(_ record: ForeignRecord) {
        guard failure == nil else { return }
        guard entries + notConverted <= ConversionLimits.entries else {
            failure = ConversionError(.tooManyEntries(limit: ConversionLimits.entries))
            return
        }
        do throws(ConversionError) { try sink(record) } catch { failure = error }
    }

    /// Removes what exceeds a limit, and reports it; false where the entry cannot be saved without it.
    private func restrict(
        _ entry: inout ForeignEntry, _ report: (NotConverted.What, NotConverted.Reason) -> Void
    ) -> Bool {
        typealias Max = ConversionLimits
        if entry.user.utf8.count > Max.userBytes {
            report(.user, .tooLong)
            return false
        }
        if (entry.password?.count ?? 0) > Max.secretBytes {
            report(.password, .tooLong)
            return false
        }
        func drop(_ value: inout SecretBytes?, _ limit: Int, _ what: NotConverted.What) {
            guard let present = value, present.count > limit else { return }
            value = nil
            report(what, .tooLong)
        }
        func keep<Element>(
            _ list: inout [Element], _ limit: Int, _ what: NotConverted.What, where isWithin: (Element) -> Bool
        ) {
            let within = list.filter(isWithin)
            if within.count < list.count { report(what, .tooLong) }
            if within.count > limit { report(what, .tooMany) }
            list = Array(within.prefix(limit))
        }
        drop(&entry.notes, Max.notesBytes, .notes)
        drop(&entry.code, Max.codeBytes, .code)
        if entry.folder.utf8.count > Max.folderBytes {
            entry.folder = ""
            report(.folder, .tooLong)
        }
        if entry.title.utf8.count > Max.titleBytes {
            // The whole title is kept as a field.
            entry.keep("title", SecretBytes(utf8: entry.title))
            entry.title = entry.title.prefix(bytes: Max.titleBytes)
        }
        for index in entry.fields.indices where entry.fields[index].name.isEmpty { entry.fields[index].name = "field" }
        keep(&entry.tags, Max.tags, .tag) { $0.utf8.count <= Max.tagBytes }
        keep(&entry.sites, Max.sites, .site) { $0.utf8.count <= Max.siteBytes }
        let sites = entry.sites
        entry.exactSites = entry.exactSites.filter { sites.contains($0) }
        entry.urls = entry.urls.filter { sites.contains($0) }
        keep(&entry.fields, Max.fields, .field) {
            $0.name.utf8.count <= Max.fieldNameBytes && $0.value.count <= Max.fieldValueBytes
        }
        keep(&entry.history, Max.formerPasswords, .history) { $0.password.count <= Max.secretBytes }
        keep(&entry.passkeys, Max.passkeys, .passkey) { $0.key.count <= Max.fieldValueBytes }
        return true
    }
}

extension String {
    /// At most so many bytes of UTF-8, whole characters.
    func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var (result, count) = ("", 0)
        for character in self {
            count += character.utf8.count
            guard count <= limit else { break }
            result.append(character)
        }
        return result
    }
}
