// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// Some records with all that have a login in common with them: they behave as they do within the whole.
struct SyncSlice {
    var state = SyncState()
    private(set) var entries: [ObjectID: StoredSyncEntry] = [:]
    private var loaded: Set<ObjectID> = []
    private var logins: Set<Login> = []
    private var counters: Set<OneTimeCode.Nonce> = []

    /// - Parameter cuts: which files of removed devices count.
    init(cuts: [DeviceID: UInt64]) { state.setCuts(cuts) }

    static func entry(of id: ObjectID) -> ObjectID { ObjectID(kind: .sync, high: id.high, low: id.low) }

    /// The entry that has the counters of a nonce. No id that is merged ends like this one, and one that is made by a chance of 2^-64.
    static func entry(of nonce: OneTimeCode.Nonce) -> ObjectID {
        ObjectID(kind: .sync, high: nonce, low: StoredOperations.counterEnding)
    }

    /// The state, for what changes it and sets it again: a second reference would copy it at the first change.
    mutating func takeState() -> SyncState {
        var taken = SyncState()
        swap(&taken, &state)
        return taken
    }

    /// Reads what belongs to these records and logins, and is not read yet.
    mutating func read(
        _ ids: some Sequence<ObjectID>, _ new: some Sequence<Login> = EmptyCollection(), from records: RecordView
    ) throws(VaultError) {
        var waiting = ids.filter { !loaded.contains($0) }
        var waitingLogins = Array(Set(new).subtracting(logins))
        while true {
            if let id = waiting.popLast() {
                guard loaded.insert(id).inserted else { continue }
                guard let entry: StoredSyncEntry = try records.fetch(Self.entry(of: id)) else { continue }
                try insert(entry, of: id, from: records)
                waitingLogins += state.logins(of: id).filter { !logins.contains($0) }
            } else if let login = waitingLogins.popLast() {
                guard logins.insert(login).inserted else { continue }
                waiting += try Self.ids(with: login, records).filter { !loaded.contains($0) }
            } else {
                return
            }
        }
    }

    private mutating func insert(
        _ entry: StoredSyncEntry, of id: ObjectID, from records: RecordView
    ) throws(VaultError) {
        guard let operations = StoredOperations.operations(in: entry.content) else { throw .recordDamaged(entry.id) }
        entries[id] = entry
        state.merge(operations)
        for case .add(_, let element) in operations {
            if case .code(let code?) = element.value { try readCounter(code.nonce, from: records) }
        }
    }

    mutating func readCounter(_ nonce: OneTimeCode.Nonce, from records: RecordView) throws(VaultError) {
        guard counters.insert(nonce).inserted else { return }
        let id = Self.entry(of: nonce)
        guard let entry: StoredSyncEntry = try records.fetch(id) else { return }
        guard let operations = StoredOperations.operations(in: entry.content) else { throw .recordDamaged(id) }
        entries[id] = entry
        state.merge(operations)
    }

    /// The records whose stamps have a login.
    static func ids(with login: Login, _ records: RecordView) throws(VaultError) -> [ObjectID] {
        let tag = StoredSyncEntry.tag(of: .init(site: login.site, user: login.user), key: records.key)
        return try records.ids(with: tag).map { ObjectID(kind: .credential, high: $0.high, low: $0.low) }
    }

    /// The subject that wrote an element of one of these records on this machine.
    func writer(of mark: Mark, in ids: [ObjectID]) -> Subject? {
        ids.lazy.compactMap { entries[$0]?.writers[mark.rawValue] }.first
    }

    /// The subjects that wrote elements of what was read on this machine.
    var writers: [UInt64: Subject] {
        entries.values.reduce(into: [:]) { writers, entry in writers.merge(entry.writers) { first, _ in first } }
    }

    /// The credential that the stamps of an id show.
    func shown(_ id: ObjectID, over present: Credential?, at now: Timestamp) -> Credential? {
        state.view(of: id).flatMap { view in
            SyncedCredential.credential(view, in: state, over: present, at: now) { writer(of: $0, in: [id]) }
        }
    }

    // MARK: - Writing

    /// Stores a record as it is in `state`.
    ///
    /// - Parameters:
    ///   - sequence: of the file of this machine that publishes the change; nil where it is another machine's.
    ///   - writers: the subjects of elements that are new.
    ///   - version: what the id has now as a credential; 0 where it has none.
    mutating func write(
        _ id: ObjectID, publishedIn sequence: UInt64?, writers: [Mark: Subject] = [:], version: UInt64,
        _ transaction: inout RecordTransaction, at now: Timestamp
    ) throws(VaultError) {
        let content = StoredOperations.bytes(of: id, in: state)
        var entry =
            entries[id]
            ?? StoredSyncEntry(id: Self.entry(of: id), version: 0, form: .record, content: content, changed: now)
        entry.content = content
        entry.logins = state.logins(of: id).map { .init(site: $0.site, user: $0.user) }
        if let sequence { entry.sequence = sequence }
        entry.shown = state.group(of: id).first
        entry.greatestVersion = max(entry.greatestVersion, version)
        for (mark, subject) in writers { entry.writers[mark.rawValue] = subject }
        let elements = state.records[id]?.elements ?? []
        let former = entry.writers.keys.filter { mark in !elements.contains { $0.mark.rawValue == mark } }
        for mark in former { entry.writers[mark] = nil }
        try write(entry, for: id, &transaction, at: now)
    }

    /// Stores the counters of a nonce.
    mutating func write(
        _ nonce: OneTimeCode.Nonce, publishedIn sequence: UInt64?, _ transaction: inout RecordTransaction,
        at now: Timestamp
    ) throws(VaultError) {
        let id = Self.entry(of: nonce)
        let content = StoredOperations.bytes(of: nonce, in: state)
        var entry = entries[id] ?? StoredSyncEntry(id: id, version: 0, form: .counter, content: content, changed: now)
        entry.content = content
        if let sequence { entry.sequence = sequence }
        try write(entry, for: id, &transaction, at: now)
    }

    private mutating func write(
        _ new: StoredSyncEntry, for key: ObjectID, _ transaction: inout RecordTransaction, at now: Timestamp
    ) throws(VaultError) {
        var entry = new
        entry.version += 1
        entry.changed = now
        if let old = entries[key] { try transaction.replace(old, with: entry) } else { try transaction.insert(entry) }
        entries[key] = entry
    }
}
