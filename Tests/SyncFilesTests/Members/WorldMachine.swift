// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround

@testable import SyncFiles

/// A machine of `StatementWorld`: what it has read, merged and stated.
struct WorldMachine {
    let keys: KeyPairs
    private(set) var members: MemberRegister
    private(set) var state = SyncState()
    private(set) var merged = MergedFiles()
    /// The saves that it published, by their numbers.
    private(set) var saved: [UInt64: FileOrigin] = [:]
    private var done: Set<Int> = []
    private var sequence: UInt64 = 0
    private var unpublished: [SignedStatement] = []
    private var lastKey: EpochKey?
    private var snapshotEpoch: EpochID?
    private var openedKeys: [EpochID: EpochKey] = [:]

    init(keys: KeyPairs, members: MemberRegister) {
        self.keys = keys
        self.members = members
    }

    var device: DeviceID { keys.publicKeys.device }
    /// The sequence of its next file.
    var next: UInt64 { sequence + 1 }
    /// Whether it ever could write.
    var hasKey: Bool { lastKey != nil }
    var isMember: Bool { members.list.contains(device) }

    mutating func add(_ statement: SignedStatement) {
        unpublished.append(statement)
        learn([statement])
    }

    /// Reads files in their order, also again those that it could not read before.
    mutating func read(_ folder: [StatementWorld.WorldFile], where isThere: (Int) -> Bool) {
        for (position, file) in folder.enumerated() where isThere(position) && !done.contains(position) {
            let parsed: SyncFile
            do throws(SyncFileError) {
                parsed = try SyncFile(file.bytes, name: nil, group: members.group, device: file.device)
            } catch {
                if !error.mayBecomeReadable { done.insert(position) }
                continue
            }
            learn(parsed.statements)
            guard let verified = try? parsed.verified(by: members), let key = key(parsed.header.epoch),
                var content = try? verified.content(with: key)
            else { continue }
            done.insert(position)
            merged.note(content.summary)
            while let operations = try? content.next() { state.merge(operations) }
        }
    }

    private mutating func key(_ epoch: EpochID) -> EpochKey? {
        if openedKeys[epoch] == nil { openedKeys[epoch] = members.epochKey(epoch, of: keys) }
        return openedKeys[epoch]
    }

    private mutating func learn(_ statements: [SignedStatement]) {
        let found = members.insert(statements)
        guard !found.added.isEmpty else { return }
        // After its own removal a machine keeps what it has.
        let cuts = members.cuts.filter { isMember || $0.key != device }
        if state.setCuts(cuts).readsAgain { done = [] }
    }

    mutating func drawKeyIfNeeded(_ random: inout any RandomNumberGenerator) throws {
        guard isMember else { return }
        if let key = members.currentKey(of: keys) {
            lastKey = key
        } else if let epoch = try members.newEpoch(by: keys, sequence: next, using: &random) {
            add(epoch.statement)
            lastKey = epoch.key
        }
    }

    /// A file with a save and with what it stated; nil where it never had a key.
    mutating func delta(
        save number: UInt64, _ random: inout any RandomNumberGenerator
    ) throws -> WrittenSyncFile? {
        guard let writer = writer else { return nil }
        let origin = FileOrigin(device: device, sequence: next)
        let id = ObjectID(kind: .credential, high: 0, low: number)
        let stamp = Stamp(time: Timestamp(milliseconds: Int64(number)), origin: origin, random: number)
        let operations = [SyncOperation.add(id, Element(stamp: stamp, value: .user("user \(number)")))]
        sequence += 1
        state.merge(operations)
        saved[number] = origin
        defer { unpublished = [] }
        return try writer.delta(
            sequence...sequence, operations, vector: merged.vector, statements: unpublished, using: &random)
    }

    mutating func snapshotIfNeeded(_ random: inout any RandomNumberGenerator) throws -> WrittenSyncFile? {
        guard let writer = writer, snapshotEpoch != lastKey?.id || !unpublished.isEmpty else { return nil }
        sequence += 1
        snapshotEpoch = lastKey?.id
        unpublished = []
        return try writer.snapshot(
            sequence, state, vector: merged.vector, statements: members.statements, using: &random)
    }

    private var writer: SyncFileWriter? {
        lastKey.map { SyncFileWriter(group: members.group, keys: keys, epochKey: $0, deviceName: "machine") }
    }
}
