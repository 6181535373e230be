// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// The entries of an import before it is committed: sealed, in memory only.
///
/// Safe to share: while it is busy, the thread that works on it is the only one that uses it.
package final class ImportStaging: @unchecked Sendable {
    package let limits: ImportLimits
    /// Used on the event loop alone.
    package private(set) var state = State.idle
    private let key: SecretBytes
    private var entropy: any RandomNumberGenerator
    var content = Content()
    var review = ImportReview()

    package enum State: Sendable {
        case idle
        /// Another thread works on it.
        case busy
        /// Another import has replaced it, or the vault was locked.
        case discarded
    }

    /// The entries.
    struct Content {
        /// Sealed, each for its position.
        var sealed: [[UInt8]] = []
        var byteCount = 0
        /// What of the entries does not fit, by their positions.
        var remarks: [(entry: Int, remark: ImportRemark)] = []
        var passkeyCount = 0
    }

    package init(limits: ImportLimits, entropy: some RandomNumberGenerator = SystemEntropy()) {
        self.limits = limits
        var entropy = entropy
        key = SecretBytes(random: 32, using: &entropy)
        self.entropy = entropy
    }

    package var count: Int { content.sealed.count }

    package func discard() { state = .discarded }

    /// Begins or ends work of another thread.
    package func setBusy(_ isBusy: Bool) {
        if state != .discarded { state = isBusy ? .busy : .idle }
    }

    /// Whether so many more entries are within the limits.
    package func hasCapacity(for more: Int) -> Bool {
        count + more <= limits.entries && content.byteCount < limits.bytes
    }

    /// Adds entries; all that were reviewed before stay so.
    package func add(_ more: [ImportEntry]) throws(VaultError) {
        for entry in more {
            let plain = BinaryWriter.encode { writer in
                writer.put(UInt64(entry.line ?? 0))
                entry.credential.write(to: &writer)
            }
            let sealed = try plain.withUnsafeBytes { bytes throws(VaultError) in
                try Sealing.seal(bytes, key: key, associated: Self.associated(count), using: &entropy)
            }
            content.remarks += entry.remarks.map { (entry: count, remark: $0) }
            content.passkeyCount += entry.credential.passkeys.count
            content.byteCount += sealed.count
            content.sealed.append(sealed)
        }
    }

    /// An entry by its position.
    func entry(_ position: Int) throws(VaultError) -> ImportEntry {
        let entry = try Sealing.open(content.sealed[position], key: key, associated: Self.associated(position)) {
            bytes throws(VaultError) -> ImportEntry? in
            var reader = BinaryReader(bytes)
            let line: UInt64 = reader.integer()
            let credential = Credential(
                from: &reader, id: ObjectID(kind: .credential, high: 0, low: 0), version: 1)
            guard reader.isAtEnd else { return nil }
            return ImportEntry(credential, line: line == 0 ? nil : Int(clamping: line))
        }
        guard let entry = entry ?? nil else { throw .damaged("entry of an import") }
        return entry
    }

    /// So many new ids of credentials, in their order: rows that are written in the order of their ids are written faster.
    func newIDs() -> [ObjectID] {
        content.sealed.map { _ in ObjectID(kind: .credential, high: entropy.next(), low: entropy.next()) }.sorted()
    }

    private static func associated(_ position: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(position).bigEndian) { [UInt8]("import".utf8) + $0 }
    }
}
