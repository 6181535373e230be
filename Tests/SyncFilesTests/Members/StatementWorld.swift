// SPDX-License-Identifier: Apache-2.0
import SyncMerge
import TestGround
import VaultFormat

@testable import SyncFiles

/// Machines that admit and remove each other by real files in a folder, each of which has read only some of them. The folder's host
/// changes files and adds statements; removed machines go on writing.
struct StatementWorld {
    var random: any RandomNumberGenerator
    let recovery: KeyPairs
    let founding: SignedStatement
    var machines: [WorldMachine]
    var folder: [WorldFile] = []
    private var saves: UInt64 = 0

    struct WorldFile {
        let bytes: [UInt8]
        let device: DeviceID
    }

    /// How a world ended.
    enum End: Equatable { case agreed, nobodyLeft }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        recovery = try required(KeyPairs(recovery: WrittenKey.random(using: &random)))
        let founder = try KeyPairs.random(using: &random)
        founding = try SignedStatement.founding(by: founder, recovery: recovery.publicKeys, using: &random)
        machines = [WorldMachine(keys: founder, members: try required(MemberRegister(founding: founding)))]
    }

    mutating func run() throws -> End {
        try publish(0)
        for _ in 0..<Int.random(in: 5...30, using: &random) { try step() }
        for round in 0..<6 {
            for machine in machines.indices {
                machines[machine].read(folder, where: { _ in true })
                if round < 5 { try tend(machine) }
            }
        }
        return try judge()
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func step() throws {
        let machine = Int.random(in: 0..<machines.count, using: &random)
        let readable = Set(folder.indices.filter { _ in chance(0.5) })
        machines[machine].read(folder, where: readable.contains)
        if chance(0.25) { try interfere() }
        // A machine that was removed writes all the same, with the key that it has.
        guard machines[machine].isMember || machines[machine].hasKey && chance(0.5) else { return }
        // Without a key it could not publish what it states: as in autofilld, it has one before.
        try machines[machine].drawKeyIfNeeded(&random)
        guard machines[machine].hasKey else { return }
        let others = machines[machine].members.list.members.filter { $0 != machines[machine].device }
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.3: if machines.count < 7 { try admit(by: machine) }
        case ..<0.5: if let other = others.randomElement(using: &random) { try remove(other, by: machine, false) }
        case ..<0.55: if let other = others.randomElement(using: &random) { try remove(other, by: machine, true) }
        default: break
        }
        try publish(machine)
    }

    private mutating func admit(by machine: Int) throws {
        let new = try KeyPairs.random(using: &random)
        try state(
            .admission(
                of: new.publicKeys, to: founding.group, by: machines[machine].keys, sequence: machines[machine].next),
            by: machine)
        machines.append(WorldMachine(keys: new, members: try required(MemberRegister(founding: founding))))
    }

    private mutating func remove(_ device: DeviceID, by machine: Int, _ byRecoveryKey: Bool) throws {
        let keys = machines[machine].keys
        try state(
            .removal(
                of: device, last: machines[machine].merged.greatest(of: device), from: founding.group,
                by: byRecoveryKey ? .recoveryKey(recovery) : .device(keys), sequence: machines[machine].next),
            by: machine)
    }

    private mutating func state(_ statement: SignedStatement, by machine: Int) throws {
        machines[machine].add(statement)
    }

    /// Writes a file with one save and the new statements; first a key is drawn where none counts.
    private mutating func publish(_ machine: Int) throws {
        try machines[machine].drawKeyIfNeeded(&random)
        saves += 1
        guard let file = try machines[machine].delta(save: saves, &random) else { return }
        folder.append(WorldFile(bytes: file.bytes, device: machines[machine].device))
    }

    /// What a member does when it has read everything.
    private mutating func tend(_ machine: Int) throws {
        guard machines[machine].isMember else { return }
        try machines[machine].drawKeyIfNeeded(&random)
        guard let file = try machines[machine].snapshotIfNeeded(&random) else { return }
        folder.append(WorldFile(bytes: file.bytes, device: machines[machine].device))
    }
}
