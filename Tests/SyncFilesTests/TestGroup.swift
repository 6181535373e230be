// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround
import VaultFormat

@testable import SyncFiles

/// A founder, a further machine, and the recovery key, with one epoch for both.
struct TestGroup {
    var entropy: any RandomNumberGenerator
    let recovery: WrittenKey
    let recoveryKeys: KeyPairs
    let desktop: KeyPairs
    let laptop: KeyPairs
    var members: MemberRegister
    var epochKey: EpochKey

    init(seed: UInt64 = 1) throws {
        entropy = SeededGenerator(seed: seed)
        recovery = WrittenKey.random(using: &entropy)
        recoveryKeys = try required(KeyPairs(recovery: recovery))
        desktop = try KeyPairs.random(using: &entropy)
        laptop = try KeyPairs.random(using: &entropy)
        let founding = try SignedStatement.founding(
            by: desktop, recovery: recoveryKeys.publicKeys, using: &entropy)
        members = try required(MemberRegister(founding: founding))
        epochKey = try EpochKey.random(using: &entropy)
        try admit(laptop, by: desktop, sequence: 1)
        try drawKey(by: desktop, sequence: 2)
    }

    var group: GroupID { members.group }

    mutating func admit(_ machine: KeyPairs, by admitter: KeyPairs, sequence: UInt64) throws {
        members.insert([
            try SignedStatement.admission(of: machine.publicKeys, to: group, by: admitter, sequence: sequence)
        ])
    }

    mutating func drawKey(by machine: KeyPairs, sequence: UInt64) throws {
        let epoch = try required(try members.newEpoch(by: machine, sequence: sequence, using: &entropy))
        members.insert([epoch.statement])
        epochKey = epoch.key
    }

    mutating func remove(
        _ machine: KeyPairs, last: UInt64, by remover: SignedStatement.Remover, sequence: UInt64
    ) throws {
        members.insert([
            try SignedStatement.removal(
                of: machine.device, last: last, from: group, by: remover, sequence: sequence)
        ])
    }

    func writer(_ machine: KeyPairs, name: String = "desktop") -> SyncFileWriter {
        SyncFileWriter(group: group, keys: machine, epochKey: epochKey, deviceName: name)
    }

    /// A file of the desktop with one save.
    mutating func delta(_ sequence: UInt64 = 3, statements: [SignedStatement] = []) throws -> WrittenSyncFile {
        try writer(desktop).delta(
            sequence...sequence, save(FileOrigin(device: desktop.device, sequence: sequence)),
            vector: VersionVector([laptop.device: 7]), statements: statements, using: &entropy)
    }

    /// What a save of one credential publishes.
    func save(_ origin: FileOrigin, id: UInt64 = 1) -> [SyncOperation] {
        var writer = SyncWriter(
            changing: SyncState(), origin: origin, now: Timestamp(milliseconds: 1_795_253_400_000),
            entropy: SeededGenerator(seed: id))
        writer.create(
            ObjectID(kind: .credential, high: 9, low: id), site: "shop.example.com", user: "ann@example.com",
            password: SyncSecret("correct horse \(id)"))
        return writer.operations
    }

    func read(
        _ bytes: [UInt8], name: SyncFileName? = nil, of machine: KeyPairs? = nil
    ) throws(SyncFileError) -> SyncFile {
        try SyncFile(bytes, name: name, group: group, device: (machine ?? desktop).device)
    }

    /// Reads a file completely.
    func content(
        _ bytes: [UInt8], name: SyncFileName? = nil, of machine: KeyPairs? = nil
    ) throws(SyncFileError) -> (content: SyncFileContent, operations: [SyncOperation]) {
        let content = try read(bytes, name: name, of: machine).verified(by: members).content(with: epochKey)
        var (reading, operations) = (content, [SyncOperation]())
        while let next = try reading.next() { operations += next }
        return (content, operations)
    }
}

struct Missing: Error {}

func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

/// The error of a function that has to fail.
func failure<Failure: Error, Value>(_ body: () throws(Failure) -> Value) -> Failure? {
    do throws(Failure) {
        _ = try body()
        return nil
    } catch { return error }
}

extension KeyPairs {
    var device: DeviceID { publicKeys.device }
}

extension SyncSecret {
    init(_ text: String) { self.init(SecretBytes(utf8: text)) }
}
