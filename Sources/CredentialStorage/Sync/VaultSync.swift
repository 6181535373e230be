// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// What an unlocked vault in which sync was started has in memory for it: keys, members, and which files were written and merged.
struct VaultSync {
    let keys: KeyPairs
    var members: MemberRegister
    /// The user's name for this machine.
    var deviceName: String
    var progress = SyncProgress()
    /// A change was stored without its stamps: all has to be compared.
    var mustCompare = false

    var device: DeviceID { keys.publicKeys.device }
    /// Of what is published next.
    var origin: FileOrigin { FileOrigin(device: device, sequence: progress.next) }

    init(keys: KeyPairs, members: MemberRegister, deviceName: String) {
        self.keys = keys
        self.members = members
        self.deviceName = deviceName
    }

    /// What writes files now; nil where no key counts that this machine was given.
    var writer: SyncFileWriter? {
        members.currentKey(of: keys).map {
            SyncFileWriter(group: members.group, keys: keys, epochKey: $0, deviceName: deviceName)
        }
    }

    // MARK: - Storing

    /// The names of the two settings that have it.
    static let membersSetting = "sync members"
    static let progressSetting = "sync progress"

    /// Keys, name and statements.
    var storedMembers: SecretBytes {
        BinaryWriter.encode { writer in
            writer.put(keys.signing)
            writer.put(keys.sealing)
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
            let signing = reader.secret(), sealing = reader.secret(), name = reader.text()
            var rest: UInt32 = reader.integer()
            var statements: [SignedStatement] = []
            while rest > 0, reader.isIntact {
                let length: UInt32 = reader.integer()
                guard let memory = reader.take(Int(length)), let statement = SignedStatement(Array(memory)) else {
                    return nil
                }
                statements.append(statement)
                rest -= 1
            }
            guard reader.isAtEnd, let keys = KeyPairs(signing: signing, sealing: sealing),
                let founding = statements.first, var members = MemberRegister(founding: founding)
            else { return nil }
            members.insert(statements.dropFirst())
            return VaultSync(keys: keys, members: members, deviceName: name)
        }
        guard let read else { return nil }
        self = read
    }
}
