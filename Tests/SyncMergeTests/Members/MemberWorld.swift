// SPDX-License-Identifier: Apache-2.0
import SyncMerge
import TestGround

/// Machines that admit and remove each other while each knows only some of the statements.
struct MemberWorld {
    private var random: SeededGenerator
    private var statements: [MemberStatement] = []
    private var machines: [Machine] = []
    private var serial: UInt128 = 0

    private struct Machine {
        let device: DeviceID
        /// The statements that it has read, by their positions.
        var read: Set<Int> = []
        var sequence: UInt64 = 0
        var keys: Set<EpochID> = []
    }

    private static let founder = DeviceID(rawValue: 1)

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private func chance(_ probability: Double, _ random: inout SeededGenerator) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private func read(_ machine: Int) -> [MemberStatement] { machines[machine].read.sorted().map { statements[$0] } }

    private func list(_ machine: Int) -> MemberList { MemberList(founder: Self.founder, statements: read(machine)) }

    private mutating func state(_ content: MemberStatement.Content, by machine: Int) {
        machines[machine].sequence += 1
        add(
            MemberStatement(
                signer: .device(machines[machine].device), sequence: machines[machine].sequence, content: content),
            to: machine)
    }

    private mutating func add(_ statement: MemberStatement, to machine: Int) {
        machines[machine].read.insert(statements.count)
        statements.append(statement)
    }

    private mutating func drawKey(_ machine: Int) {
        let members = Set(list(machine).members)
        guard members.contains(machines[machine].device) else { return }
        serial += 1
        let key = EpochID(rawValue: serial)
        state(.epoch(key, recipients: members), by: machine)
        machines[machine].keys.insert(key)
    }

    private mutating func learnKeys(_ machine: Int) {
        for statement in read(machine) {
            if case .epoch(let key, let recipients) = statement.content, recipients.contains(machines[machine].device) {
                machines[machine].keys.insert(key)
            }
        }
    }

    /// Some further statements; those of one device are read in their order.
    private mutating func readSome(_ machine: Int) {
        for position in statements.indices where chance(0.3, &random) { machines[machine].read.insert(position) }
        let read = machines[machine].read
        let known = Set(read.map { Origin(statements[$0]) })
        machines[machine].read = read.filter { position in
            let statement = statements[position]
            guard case .device = statement.signer else { return true }
            return (1..<max(statement.sequence, 1)).allSatisfy { known.contains(Origin(statement.signer, $0)) }
        }
    }

    private struct Origin: Hashable {
        let signer: MemberStatement.Signer
        let sequence: UInt64

        init(_ signer: MemberStatement.Signer, _ sequence: UInt64) {
            self.signer = signer
            self.sequence = sequence
        }

        init(_ statement: MemberStatement) { self.init(statement.signer, statement.sequence) }
    }

    /// How a world ended.
    enum End: Equatable { case agreed, nobodyLeft }

    mutating func run() throws(WorldFault) -> End {
        machines = [Machine(device: Self.founder)]
        drawKey(0)
        for _ in 0..<Int.random(in: 5...40, using: &random) { step() }
        for _ in 0..<4 { for machine in machines.indices { tend(machine) } }
        return try judge()
    }

    private mutating func step() {
        let machine = Int.random(in: 0..<machines.count, using: &random)
        readSome(machine)
        learnKeys(machine)
        let own = machines[machine].device, members = list(machine).members
        guard members.contains(own) else { return }
        let others = members.filter { $0 != own }
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.35: if machines.count < 8 { admit(by: machine) }
        case ..<0.6: if let other = others.randomElement(using: &random) { remove(other, by: machine, recovery: false) }
        case ..<0.65: if let other = others.randomElement(using: &random) { remove(other, by: machine, recovery: true) }
        case ..<0.7: if machines.count < 8 { renew(machine) }
        default: break
        }
    }

    private mutating func admit(by machine: Int) {
        let new = Machine(device: DeviceID(rawValue: UInt128(machines.count + 1)))
        machines.append(new)
        state(.admission(of: new.device), by: machine)
        drawKey(machine)
        machines[machines.count - 1].read = machines[machine].read
        learnKeys(machines.count - 1)
    }

    /// A machine takes another id, which the former one admits before it removes itself.
    private mutating func renew(_ machine: Int) {
        admit(by: machine)
        let last = machines[machine].sequence + 1
        state(.removal(of: machines[machine].device, last: last), by: machine)
        machines[machines.count - 1].read = machines[machine].read
        drawKey(machines.count - 1)
    }

    private mutating func remove(_ device: DeviceID, by machine: Int, recovery: Bool) {
        let last = read(machine).filter { $0.signer == .device(device) }.map(\.sequence).max() ?? 0
        let content = MemberStatement.Content.removal(of: device, last: last)
        if recovery {
            let statement = MemberStatement(signer: .recoveryKey, sequence: UInt64(statements.count), content: content)
            add(statement, to: machine)
        } else {
            state(content, by: machine)
        }
        drawKey(machine)
    }

    /// What each machine does when it has read everything: it draws a key where none counts.
    private mutating func tend(_ machine: Int) {
        machines[machine].read = Set(statements.indices)
        learnKeys(machine)
        let list = list(machine)
        guard list.contains(machines[machine].device) else { return }
        if EpochKeys(list, statements: statements).current == nil { drawKey(machine) }
    }

    private mutating func judge() throws(WorldFault) -> End {
        let list = MemberList(founder: Self.founder, statements: statements)
        let keys = EpochKeys(list, statements: statements)
        for machine in machines.indices {
            let shuffled = statements.shuffled(using: &random)
            let other = MemberList(founder: Self.founder, statements: shuffled)
            try require(other == list, "members differ")
            try require(EpochKeys(other, statements: shuffled) == keys, "keys differ")
            machines[machine].read = Set(statements.indices)
            learnKeys(machine)
        }
        guard !list.members.isEmpty else { return .nobodyLeft }
        guard let current = keys.current else { throw WorldFault(rule: "no key", detail: "") }
        for machine in machines {
            let isMember = list.contains(machine.device), hasKey = machine.keys.contains(current)
            try require(isMember == hasKey, "a key and its members differ")
        }
        try requireRights(list)
        return .agreed
    }

    /// Nobody is removed but by a senior or by the recovery key, and whoever one of these removed while its statement counts is.
    private func requireRights(_ list: MemberList) throws(WorldFault) {
        for statement in statements {
            guard case .removal(let device, _) = statement.content else { continue }
            switch statement.signer {
            case .recoveryKey: try require(!list.contains(device), "the recovery key did not remove")
            case .device(let signer) where list.contains(signer):
                let position = list.members.firstIndex(of: device)
                let isSenior = position.map { $0 < list.members.firstIndex(of: signer) ?? 0 } ?? true
                try require(isSenior, "a senior did not remove")
            case .device: break
            }
        }
        for device in list.cuts.keys {
            let removers = statements.filter {
                if case .removal(device, _) = $0.content { list.counts($0) } else { false }
            }
            try require(!removers.isEmpty, "removed by a statement that does not count")
        }
    }
}
