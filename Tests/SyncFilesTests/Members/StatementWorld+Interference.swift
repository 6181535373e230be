// SPDX-License-Identifier: Apache-2.0
import SyncMerge
import TestGround
import VaultFormat

@testable import SyncFiles

extension StatementWorld {
    /// What the folder's host, a stranger or a removed machine adds.
    mutating func interfere() throws {
        guard let file = folder.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: add(changed(file.bytes), of: file.device)
        case 1: add(Array(file.bytes.prefix(.random(in: 0...file.bytes.count, using: &random))), of: file.device)
        case 2: add(file.bytes, of: machines.randomElement(using: &random)?.device ?? file.device)
        case 3: add(try withStatements(file, [try forged()]), of: file.device)
        default: add(try withStatements(file, try claims()), of: file.device)
        }
    }

    private mutating func add(_ bytes: [UInt8], of device: DeviceID) {
        folder.append(WorldFile(bytes: bytes, device: device))
    }

    private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        return bytes
    }

    /// A statement in the name of the founder or the recovery key, signed by somebody else.
    private mutating func forged() throws -> SignedStatement {
        let signer: MemberStatement.Signer =
            Bool.random(using: &random) ? .recoveryKey : .device(machines[0].device)
        let forger = try machines.dropFirst().randomElement(using: &random)?.keys ?? KeyPairs.random(using: &random)
        let victim = machines.randomElement(using: &random)?.device ?? machines[0].device
        let content: StatementContent =
            Bool.random(using: &random) ? .removal(of: victim, last: 0) : .admission(forger.publicKeys)
        return try SignedStatement(content, group: founding.group, signer: signer, sequence: 1, keys: forger)
    }

    /// What machines that are no members state themselves: that they were given the present keys.
    private mutating func claims() throws -> [SignedStatement] {
        let members = machines[0].members
        return try machines.filter { !members.list.contains($0.device) }.flatMap { machine in
            try members.statements.compactMap { statement -> SignedStatement? in
                guard case .epoch(let grant) = statement.content else { return nil }
                var bytes = BinaryWriter.bytes { grant.write(to: &$0) }
                bytes.replaceSubrange(33..<49, with: machine.device.rawValue.bytes)
                let claimed = bytes.withUnsafeBytes { memory in
                    var reader = BinaryReader(memory)
                    return EpochGrant(from: &reader)
                }
                return try claimed.map { claimed in
                    try SignedStatement(
                        .epoch(claimed), group: founding.group, signer: .device(machine.device),
                        sequence: machine.next, keys: machine.keys)
                }
            }
        }
    }

    /// A copy of a file with other statements: they are read before the signature of the file can be checked.
    private func withStatements(_ file: WorldFile, _ statements: [SignedStatement]) throws -> [UInt8] {
        guard let read = try? SyncFile(file.bytes, name: nil, group: founding.group, device: file.device) else {
            return file.bytes
        }
        let all = BinaryWriter.bytes { writer in for statement in statements { writer.put(statement.bytes) } }
        return BinaryWriter.bytes { writer in
            read.header.write(to: &writer)
            writer.put(UInt32(statements.count))
            writer.put(UInt32(all.count))
            writer.put(UInt32(read.batches.count))
            writer.put(whole: all)
            for batch in read.batches { writer.put(Array(file.bytes[batch])) }
            writer.put(whole: Array(file.bytes.suffix(64)))
        }
    }
}
