// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround

@testable import SyncFiles

/// A rule that does not hold in a world.
struct WorldFault: Error { let rule: String }

extension StatementWorld {
    private func require(_ condition: Bool, _ rule: String) throws {
        if !condition { throw WorldFault(rule: rule) }
    }

    /// All have one view of the group, exactly the members have the key, and all members have merged the same.
    mutating func judge() throws -> End {
        // What only a machine knows that is no member, and could publish nothing, counts for nobody.
        let informed = machines.filter(\.isMember)
        var all = (informed.isEmpty ? machines : informed).flatMap(\.members.statements)
        all.shuffle(using: &random)
        var members = try required(MemberRegister(founding: founding))
        members.insert(all)
        let present = machines.filter { members.list.contains($0.device) }
        for machine in present {
            try require(machine.members.list == members.list, "members differ")
            try require(machine.members.epochKeys == members.epochKeys, "keys differ")
            try require(machine.state == present[0].state, "states differ")
        }
        try requireRights(members)
        guard !present.isEmpty else { return .nobodyLeft }
        try requireKeys(members)
        try requireSaves(present[0].state, members)
        return .agreed
    }

    private func requireKeys(_ members: MemberRegister) throws {
        guard let current = members.epochKeys.current else { throw WorldFault(rule: "no key counts") }
        for machine in machines {
            let hasKey = members.epochKey(current, of: machine.keys) != nil
            try require(hasKey == members.list.contains(machine.device), "a key and its members differ")
        }
        try require(members.epochKey(current, recovery: recovery) != nil, "the recovery key does not open the epoch")
    }

    /// Every save of a member is there, and nothing that does not count.
    private func requireSaves(_ state: SyncState, _ members: MemberRegister) throws {
        let cuts = members.cuts
        for machine in machines {
            for (number, origin) in machine.saved {
                let isThere = state.contains(ObjectID(kind: .credential, high: 0, low: number))
                if members.list.contains(machine.device) { try require(isThere, "a save is lost") }
                if let last = cuts[machine.device], origin.sequence > last {
                    try require(!isThere, "what a removed machine wrote counts")
                }
            }
        }
    }

    /// Each statement was made by whoever it names; nobody is removed but by a senior or by the recovery key.
    private func requireRights(_ members: MemberRegister) throws {
        let known = Set(machines.map(\.device))
        try require(members.admitted.allSatisfy(known.contains), "a stranger was admitted")
        for statement in members.statements {
            guard case .removal(let device, _) = statement.content else { continue }
            switch statement.signer {
            case .recoveryKey: try require(!members.list.contains(device), "the recovery key did not remove")
            case .device(let signer) where members.list.contains(signer):
                let position = members.list.members.firstIndex(of: device)
                let isSenior = position.map { $0 < members.list.members.firstIndex(of: signer) ?? 0 } ?? true
                try require(isSenior, "a senior did not remove")
            case .device: break
            }
        }
        // Anybody may remove a machine whose admission does not count: it never was a member.
        for device in members.list.cuts.keys where wasAdmitted(device, members) {
            let isRightful = members.statements.contains { statement in
                guard case .removal(device, _) = statement.content,
                    statement.evaluated.map(members.list.counts) ?? false
                else { return false }
                guard case .device(let signer) = statement.signer else { return true }
                return seniority(of: signer, members).lexicographicallyPrecedes(seniority(of: device, members))
            }
            try require(isRightful, "removed by nobody who may")
        }
    }

    /// Whether its admission counts, and that of whoever admitted it.
    private func wasAdmitted(_ device: DeviceID, _ members: MemberRegister) -> Bool {
        device == members.founder
            || members.statements.contains { statement in
                guard case .admission(let keys) = statement.content, keys.device == device,
                    case .device(let signer) = statement.signer
                else { return false }
                return (statement.evaluated.map(members.list.counts) ?? false) && wasAdmitted(signer, members)
            }
    }

    /// The sequences of the admissions from the founder to a device: each is admitted once here, and each admits one at a time.
    private func seniority(of device: DeviceID, _ members: MemberRegister) -> [UInt64] {
        let admission = members.statements.first { statement in
            if case .admission(let keys) = statement.content { keys.device == device } else { false }
        }
        guard let admission, case .device(let signer) = admission.signer else { return [] }
        return seniority(of: signer, members) + [admission.sequence]
    }
}
