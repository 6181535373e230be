// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Receives the XML of a KDBX file, and passes its entries on.
final class KeePassDocument: XMLHandler {
    var failure: ConversionError?
    private let stream: KeePassStream?
    private let collector: RecordCollector
    private var path: [String] = []
    private var value = SecretBuffer(capacity: 4096)
    private var isProtected = false
    private var groups = OpenGroups()
    /// The open entry, and the one of its history.
    private var drafts: [KeePassDraft] = []

    private struct OpenGroups {
        /// The first one is the root, which is no folder.
        var open: [(name: String, id: String)] = []
        /// The UUID of the group of deleted entries.
        var trash = ""

        var path: String { open.dropFirst().map(\.name).joined(separator: "/") }
        var isInTrash: Bool { !trash.isEmpty && open.contains { $0.id == trash } }
    }

    init(stream: KeePassStream?, collector: RecordCollector) {
        self.stream = stream
        self.collector = collector
    }

    func start(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        value = SecretBuffer(capacity: 4096)
        isProtected = attributes["Protected"]?.lowercased() == "true"
        switch name {
        case "Group": groups.open.append(("", ""))
        case "Entry": drafts.append(KeePassDraft())
        default: break
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        value.append(bytes)
        if value.count > ConversionLimits.valueBytes {
            failure = ConversionError(.valueTooLong(limit: ConversionLimits.valueBytes))
        }
    }

    func end(_ name: String) {
        let parent = path.dropLast().last ?? ""
        do throws(ConversionError) {
            // Every protected value moves the stream on, used or not.
            let content = isProtected ? try unprotected() : nil
            switch (parent, name) {
            case ("Meta", "RecycleBinUUID"): groups.trash = plainText
            case ("Group", "UUID"): setGroup { $0.id = plainText }
            case ("Group", "Name"): setGroup { $0.name = plainText }
            case ("String", "Key"): setDraft { $0.key = plainText }
            case ("String", "Value"): setDraft { $0.add(content ?? value.secret, isProtected: isProtected) }
            case ("Entry", "Binary"): setDraft { $0.attachments += 1 }
            case ("Entry", "Tags"): setDraft { $0.setTags(plainText) }
            case ("Times", "CreationTime"): setDraft { $0.entry.created = KeePassTime.read(plainText) }
            case ("Times", "LastModificationTime"): setDraft { $0.entry.changed = KeePassTime.read(plainText) }
            case ("Times", "LastAccessTime"): setDraft { $0.entry.used = KeePassTime.read(plainText) }
            case (_, "Entry"): finishEntry()
            case (_, "Group"): if !groups.open.isEmpty { groups.open.removeLast() }
            default: break
            }
        } catch {
            failure = error
        }
        isProtected = false
        path.removeLast()
    }

    /// Of what is no secret.
    private var plainText: String { value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    private func setGroup(_ change: (inout (name: String, id: String)) -> Void) {
        if !groups.open.isEmpty { change(&groups.open[groups.open.count - 1]) }
    }

    private func setDraft(_ change: (inout KeePassDraft) -> Void) {
        if !drafts.isEmpty { change(&drafts[drafts.count - 1]) }
    }

    private func unprotected() throws(ConversionError) -> SecretBytes {
        let decoded = value.withUnsafeBytes { Base64.decode($0) }
        guard let decoded else { throw ConversionError(.damaged) }
        return try stream?.apply(decoded) ?? decoded
    }

    private func finishEntry() {
        guard let draft = drafts.popLast() else { return }
        if !drafts.isEmpty {
            drafts[drafts.count - 1].history.append(draft)
            return
        }
        draft.pass(to: collector, folder: groups.path, isDeleted: groups.isInTrash)
    }
}
