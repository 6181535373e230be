// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncFiles
import SyncMerge
import VaultFormat

/// A group of one machine, whose files, statements and invitation are changed.
struct SyncGroup {
    static let shared = Result { try SyncGroup() }

    let keys: KeyPairs
    let members: MemberRegister
    let epochKey: EpochKey
    let invitation: Invitation
    let answer: [UInt8]
    let files: [SyncFileName: [UInt8]]

    private init() throws {
        var entropy: any RandomNumberGenerator = SystemEntropy()
        keys = try KeyPairs.random(using: &entropy)
        let recovery = try Self.required(KeyPairs(recovery: WrittenKey.random(using: &entropy)))
        let founding = try SignedStatement.founding(by: keys, recovery: recovery.publicKeys, using: &entropy)
        var members = try Self.required(MemberRegister(founding: founding))
        let other = try KeyPairs.random(using: &entropy)
        members.insert([
            try .admission(of: other.publicKeys, to: members.group, by: keys, sequence: 1),
            try .removal(
                of: other.publicKeys.device, last: 3, from: members.group, by: .recoveryKey(recovery), sequence: 2),
        ])
        let epoch = try Self.required(try members.newEpoch(by: keys, sequence: 3, using: &entropy))
        members.insert([epoch.statement])
        (self.members, epochKey) = (members, epoch.key)
        invitation = try Invitation(
            to: members, from: "desktop", vector: VersionVector([keys.publicKeys.device: 3]), now: 0, using: &entropy)
        answer = try ReceivedInvitation(invitation.file, typed: invitation.code.grouped).answer(
            by: other, named: "laptop")
        let writer = SyncFileWriter(group: members.group, keys: keys, epochKey: epochKey, deviceName: "desktop")
        var changes = SyncWriter(
            changing: SyncState(), origin: FileOrigin(device: keys.publicKeys.device, sequence: 4),
            now: Timestamp(milliseconds: 1_795_253_400_000), entropy: SystemRandomNumberGenerator())
        changes.create(
            ObjectID(kind: .credential, high: 1, low: 2), site: "shop.example.com", user: "ann",
            password: SyncSecret(SecretBytes(utf8: "secret")))
        let delta = try writer.delta(
            4...4, changes.operations, vector: VersionVector(), statements: [], using: &entropy)
        let snapshot = try writer.snapshot(
            5, changes.state, vector: VersionVector(), statements: members.statements, using: &entropy)
        files = [delta.name: delta.bytes, snapshot.name: snapshot.bytes]
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw FuzzFind("no group") }
        return value
    }
}
