// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// What the last import has changed, kept in the vault for a day: in settings of its own, of which each has a part.
struct ImportJournal {
    static let keptMilliseconds: Int64 = 86_400_000
    /// After how many bytes another setting begins.
    private static let chunkBytes = 256 << 10

    /// A credential that the import added or changed.
    struct Change {
        let id: ObjectID
        /// Its version after that.
        let version: UInt64
        /// Whether the import had not changed it before.
        let isFirst: Bool
        /// As it was before; nil for one that was added.
        let former: Credential?
    }

    /// The whole of it, without what was before.
    struct Changes {
        let made: Timestamp
        let chunks: Int
        /// The last version of each credential.
        var versions: [ObjectID: UInt64] = [:]
    }

    private let made: Timestamp
    private var seen: Set<ObjectID> = []
    private var pending: [SecretBytes] = []
    private var pendingBytes = 0
    private var chunks = 0

    init(made: Timestamp) { self.made = made }

    // MARK: - Writing

    /// Removes that of the import before.
    func begin(_ transaction: inout RecordTransaction) throws(VaultError) { try Self.remove(&transaction) }

    mutating func note(new: Credential, _ transaction: inout RecordTransaction, at now: Timestamp) throws(VaultError) {
        try note(Change(id: new.id, version: new.version, isFirst: isFirst(new.id), former: nil), &transaction, at: now)
    }

    mutating func note(
        _ former: Credential, version: UInt64, _ transaction: inout RecordTransaction, at now: Timestamp
    ) throws(VaultError) {
        let isFirst = isFirst(former.id)
        try note(
            Change(id: former.id, version: version, isFirst: isFirst, former: isFirst ? former : nil), &transaction,
            at: now)
    }

    private mutating func isFirst(_ id: ObjectID) -> Bool { seen.insert(id).inserted }

    private mutating func note(
        _ change: Change, _ transaction: inout RecordTransaction, at now: Timestamp
    ) throws(VaultError) {
        let bytes = BinaryWriter.encode { writer in
            writer.put(change.id)
            writer.put(change.version)
            writer.put(change.isFirst)
            writer.put(change.former != nil)
            guard let former = change.former else { return }
            writer.put(former.version)
            former.write(to: &writer)
        }
        pending.append(bytes)
        pendingBytes += bytes.count
        if pendingBytes >= Self.chunkBytes { try flush(&transaction, at: now) }
    }

    private mutating func flush(_ transaction: inout RecordTransaction, at now: Timestamp) throws(VaultError) {
        let value = BinaryWriter.encode { writer in
            writer.put(UInt32(pending.count))
            for change in pending { writer.put(change) }
        }
        try transaction.setSetting(Self.name(chunks), to: value, at: now)
        chunks += 1
        (pending, pendingBytes) = ([], 0)
    }

    /// Writes what is left, and the head.
    mutating func end(_ transaction: inout RecordTransaction, at now: Timestamp) throws(VaultError) {
        if !pending.isEmpty { try flush(&transaction, at: now) }
        let (made, chunks) = (made, chunks)
        let head = BinaryWriter.encode { writer in
            writer.put(made)
            writer.put(UInt32(chunks))
        }
        try transaction.setSetting(Self.headName, to: head, at: now)
    }

    static func remove(_ transaction: inout RecordTransaction) throws(VaultError) {
        let never = Timestamp(milliseconds: 0)
        guard let head = try head(transaction.records) else { return }
        for chunk in 0..<head.chunks { try transaction.setSetting(name(chunk), to: nil, at: never) }
        try transaction.setSetting(headName, to: nil, at: never)
    }

    // MARK: - Reading

    private static let headName = "import"
    private static let chunkPrefix = "import "
    private static func name(_ chunk: Int) -> String { "\(chunkPrefix)\(chunk)" }

    /// Whether a setting has a part of the last import: credentials as they were before, which may be longer than a setting.
    static func isChunk(_ name: String) -> Bool { name.hasPrefix(chunkPrefix) }

    /// Whether an import can still be reverted. One that was made under a wrong clock cannot be later than a day from now.
    static func isRecent(_ made: Timestamp, at steady: Timestamp) -> Bool {
        let (age, isTooFar) = steady.milliseconds.subtractingReportingOverflow(made.milliseconds)
        return !isTooFar && abs(age) < keptMilliseconds
    }

    /// When the last import was committed, and how many settings it has; nil where none is kept.
    static func head(_ records: RecordView) throws(VaultError) -> (made: Timestamp, chunks: Int)? {
        guard let value = try value(headName, records) else { return nil }
        return value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let made = reader.time()
            let chunks: UInt32 = reader.integer()
            return reader.isAtEnd ? (made, Int(chunks)) : nil
        }
    }

    static func changes(_ records: RecordView) throws(VaultError) -> Changes? {
        guard let head = try head(records) else { return nil }
        var changes = Changes(made: head.made, chunks: head.chunks)
        for number in 0..<head.chunks {
            for change in try chunk(number, records) { changes.versions[change.id] = change.version }
        }
        return changes
    }

    static func chunk(_ number: Int, _ records: RecordView) throws(VaultError) -> [Change] {
        guard let value = try value(name(number), records) else { throw .damaged("record of an import") }
        let changes = value.withUnsafeBytes { bytes -> [Change]? in
            var reader = BinaryReader(bytes)
            let count: UInt32 = reader.integer()
            var changes: [Change] = []
            for _ in 0..<count where reader.isIntact {
                let plain = reader.secret()
                guard let change = plain.withUnsafeBytes({ Change($0) }) else { return nil }
                changes.append(change)
            }
            return reader.isAtEnd ? changes : nil
        }
        guard let changes else { throw .damaged("record of an import") }
        return changes
    }

    private static func value(_ name: String, _ records: RecordView) throws(VaultError) -> SecretBytes? {
        let found: StoredSetting? = try records.fetch(StoredSetting.blindIndex(name: name, key: records.key))
        return found?.value
    }
}

extension ImportJournal.Change {
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = BinaryReader(bytes)
        guard let id = reader.id() else { return nil }
        let version: UInt64 = reader.integer()
        let (isFirst, hasFormer): (UInt8, UInt8) = (reader.integer(), reader.integer())
        var former: Credential?
        if hasFormer == 1 {
            let version: UInt64 = reader.integer()
            former = Credential(from: &reader, id: id, version: version)
        }
        guard reader.isAtEnd else { return nil }
        self.init(id: id, version: version, isFirst: isFirst == 1, former: former)
    }
}
