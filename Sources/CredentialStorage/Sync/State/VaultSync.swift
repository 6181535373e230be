// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// What an unlocked vault in which sync was started has in memory for it: keys, members, and which files were written and merged.
struct VaultSync {
    let keys: KeyPairs
    /// Those of this machine's former ids: what was sealed to them is opened with them.
    var formerKeys: [KeyPairs] = []
    var members: MemberRegister
    /// The user's name for this machine.
    var deviceName: String
    var progress = SyncProgress()
    /// As `progress` has it, also where that could not be stored.
    var mustCompare = false
    var noted = SyncNotes()

    var device: DeviceID { keys.publicKeys.device }
    /// Of what is published next.
    var origin: FileOrigin { FileOrigin(device: device, sequence: progress.next) }

    init(keys: KeyPairs, members: MemberRegister, deviceName: String) {
        self.keys = keys
        self.members = members
        self.deviceName = deviceName
    }

    /// A later version of autofilld has stated something, or has written a file.
    var needsUpdate: Bool { members.needsUpdate || noted.hasNewerFile }

    /// Whether this machine has stated something that no file of it has.
    var hasStated: Bool {
        let range = progress.range
        return members.statements.contains { $0.signer == .device(device) && range.contains($0.sequence) }
    }

    /// Which files of removed devices count. Where this machine was removed itself, all that it has saved stays.
    var cuts: [DeviceID: UInt64] {
        var cuts = members.cuts
        guard !members.list.contains(device) else { return cuts }
        for keys in formerKeys + [keys] { cuts[keys.publicKeys.device] = nil }
        return cuts
    }

    /// What writes files now; nil where no key counts that this machine was given.
    var writer: SyncFileWriter? {
        members.currentKey(of: keys).map {
            SyncFileWriter(group: members.group, keys: keys, epochKey: $0, deviceName: deviceName)
        }
    }

    /// The key of an epoch that was given to this machine, under whatever id.
    func epochKey(_ id: EpochID) -> EpochKey? {
        ([keys] + formerKeys).lazy.compactMap { members.epochKey(id, of: $0) }.first
    }

    /// What a snapshot depends on besides the records: where it has changed another one is written.
    var basis: UInt64 {
        let bytes = BinaryWriter.encode { writer in
            writer.put(deviceName)
            writer.put(members.epochKeys.current?.rawValue ?? 0)
            for (device, last) in members.cuts.sorted(by: { $0.key < $1.key }) {
                writer.put(device.rawValue)
                writer.put(last)
            }
        }
        return bytes.withUnsafeBytes { SyncFileName(of: Array($0), sequence: 1, isSnapshot: true).hash }
    }

    // MARK: - Storing

    /// The names of the settings that have it.
    static let membersSetting = "sync members"
    static let progressSetting = "sync progress"
    static let conflictsSetting = "sync conflicts"
    static let settings = [membersSetting, progressSetting, conflictsSetting, SyncNotes.stampedSetting]

    /// Stores members and progress.
    func store(_ transaction: inout RecordTransaction, at now: Timestamp) throws(VaultError) {
        try transaction.setSetting(Self.membersSetting, to: storedMembers, at: now)
        try transaction.setSetting(Self.progressSetting, to: progress.stored, at: now)
    }

    /// Keys, name and statements.
    var storedMembers: SecretBytes {
        BinaryWriter.encode { writer in
            writer.put(UInt32(truncatingIfNeeded: formerKeys.count + 1))
            for keys in formerKeys + [keys] {
                writer.put(keys.signing)
                writer.put(keys.sealing)
            }
            writer.put(deviceName)
            writer.put(UInt32(truncatingIfNeeded: members.statements.count))
            for statement in members.statements {
                writer.put(UInt32(truncatingIfNeeded: statement.bytes.count))
                statement.bytes.withUnsafeBytes { writer.append($0) }
            }
        }
    }

    /// Nil where these are other bytes.
    init?(storedMembers bytes: SecretBytes) {
        let read = bytes.withUnsafeBytes { memory -> VaultSync? in
            var reader = BinaryReader(memory)
            var all: [KeyPairs] = []
            var rest: UInt32 = reader.integer()
            while rest > 0, reader.isIntact {
                let signing = reader.secret()
                guard let keys = KeyPairs(signing: signing, sealing: reader.secret()) else { return nil }
                all.append(keys)
                rest -= 1
            }
            let name = reader.text()
            rest = reader.integer()
            var statements: [SignedStatement] = []
            while rest > 0, reader.isIntact {
                let length: UInt32 = reader.integer()
                guard let memory = reader.take(Int(length)), let statement = SignedStatement(Array(memory)) else {
                    return nil
                }
                statements.append(statement)
                rest -= 1
            }
            guard reader.isAtEnd, let keys = all.popLast(), let founding = statements.first,
                var members = MemberRegister(founding: founding)
            else { return nil }
            members.insert(statements.dropFirst())
            var sync = VaultSync(keys: keys, members: members, deviceName: name)
            sync.formerKeys = all
            return sync
        }
        guard let read else { return nil }
        self = read
    }
}
