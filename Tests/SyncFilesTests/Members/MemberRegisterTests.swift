// SPDX-License-Identifier: Apache-2.0
import SecretMemory
import SyncMerge
import TestGround
import Testing
import VaultFormat

@testable import SyncFiles

@Suite("Statements of members")
struct MemberRegisterTests {
    private func refusal(_ statement: SignedStatement, by members: MemberRegister) -> StatementRefusal? {
        var members = members
        let result = members.insert([statement])
        return result.refused[statement]
    }

    @Test("Statements are read as they were written, in any order, from any file")
    func roundTrip() throws {
        var group = try TestGroup()
        try group.remove(group.laptop, last: 7, by: .recoveryKey(group.recoveryKeys), sequence: 9)
        let read = try group.members.statements.map { try required(SignedStatement($0.bytes)) }
        #expect(read == group.members.statements)
        var members = try required(MemberRegister(founding: read[0]))
        let result = members.insert(read.reversed())
        #expect(result.refused == [:] && result.added.count == read.count - 1)
        #expect(members.list == group.members.list && members.epochKeys == group.members.epochKeys)
        #expect(members.list.cuts == [group.laptop.device: 7])
        #expect(members.insert(read).added == [])
    }

    @Test("The group's id is the hash of its founding: nobody gives it another founder or recovery key")
    func founding() throws {
        let group = try TestGroup(), other = try TestGroup(seed: 2)
        let founding = try required(group.members.statements.first)
        let forged = try SignedStatement(
            .founding(other.desktop.publicKeys, recovery: other.recoveryKeys.publicKeys, random: 0),
            group: group.group, signer: .device(other.desktop.device), sequence: 1, keys: other.desktop)
        #expect(MemberRegister(founding: forged) == nil)
        #expect(refusal(forged, by: group.members) == .signerUnknown)
        #expect(refusal(try required(other.members.statements.first), by: group.members) == .otherGroup)
        let second = try SignedStatement(
            founding.content, group: group.group, signer: .device(group.laptop.device), sequence: 1, keys: group.laptop)
        #expect(MemberRegister(founding: second) == nil)
        #expect(refusal(second, by: group.members) == .notItsToState)
        let wrongSignature = try SignedStatement(
            founding.content, group: group.group, signer: founding.signer, sequence: 1, keys: group.laptop)
        #expect(MemberRegister(founding: wrongSignature) == nil)
        #expect(MemberRegister(founding: group.members.statements[1]) == nil)
    }

    @Test("A statement that is changed, forged, or of a stranger is refused")
    func forged() throws {
        var group = try TestGroup()
        let stranger = try KeyPairs.random(using: &group.entropy)
        let laptop = MemberStatement.Signer.device(group.laptop.device)
        func removal(
            _ signer: MemberStatement.Signer, _ keys: KeyPairs, in id: GroupID? = nil
        ) throws -> StatementRefusal? {
            let statement = try SignedStatement(
                .removal(of: group.laptop.device, last: 1), group: id ?? group.group, signer: signer, sequence: 3,
                keys: keys)
            return refusal(statement, by: group.members)
        }
        #expect(try removal(laptop, group.laptop) == nil)
        #expect(try removal(laptop, group.desktop) == .signatureInvalid)
        #expect(try removal(.recoveryKey, group.recoveryKeys) == nil)
        #expect(try removal(.recoveryKey, group.desktop) == .signatureInvalid)
        #expect(try removal(.device(stranger.device), stranger) == .signerUnknown)
        #expect(try removal(laptop, group.laptop, in: GroupID(rawValue: 1)) == .otherGroup)
        let statement = try required(group.members.statements.last)
        for position in stride(from: 0, to: statement.bytes.count, by: 7) {
            var bytes = statement.bytes
            bytes[position] ^= 4
            guard let changed = SignedStatement(bytes) else { continue }
            // Only a change of the signature leaves what was stated as it is.
            let isRefused = refusal(changed, by: group.members) != nil
            #expect(isRefused || changed.signed == statement.signed)
            var members = try required(MemberRegister(founding: group.members.statements[0]))
            #expect(members.insert(group.members.statements.dropLast() + [changed]).refused[changed] != nil)
        }
    }

    @Test("The recovery key only removes")
    func recoveryOnlyRemoves() throws {
        var group = try TestGroup()
        let new = try KeyPairs.random(using: &group.entropy)
        for content in [.admission(new.publicKeys), group.members.statements[2].content] as [StatementContent] {
            let statement = try SignedStatement(
                content, group: group.group, signer: .recoveryKey, sequence: 1, keys: group.recoveryKeys)
            #expect(refusal(statement, by: group.members) == .notItsToState)
        }
        #expect(group.members.publicKeys(of: new.device) == nil)
    }

    @Test("Keys are not admitted where anybody could open what is sealed to them")
    func unusableKeys() throws {
        let group = try TestGroup()
        let unusable = PublicKeys(signing: group.laptop.publicKeys.signing, sealing: [UInt8](repeating: 0, count: 32))
        let statement = try SignedStatement.admission(of: unusable, to: group.group, by: group.desktop, sequence: 4)
        #expect(refusal(statement, by: group.members) == .keysUnusable)
    }

    @Test("An epoch's key is opened by its recipients and the recovery key, and by nobody else")
    func epochKeys() throws {
        var group = try TestGroup()
        let stranger = try KeyPairs.random(using: &group.entropy)
        let members = group.members, id = group.epochKey.id
        #expect(members.epochKeys.current == id)
        for machine in [group.desktop, group.laptop] {
            #expect(try required(members.currentKey(of: machine)).bytes.equals(group.epochKey.bytes))
        }
        #expect(try required(members.epochKey(id, recovery: group.recoveryKeys)).bytes.equals(group.epochKey.bytes))
        #expect(members.epochKey(id, of: stranger) == nil && members.currentKey(of: stranger) == nil)
        #expect(members.epochKey(id, recovery: stranger) == nil)
        #expect(try members.newEpoch(by: stranger, sequence: 1, using: &group.entropy) == nil)
    }

    @Test("After a removal the former key does not count, and the removed machine is not given the next one")
    func epochAfterRemoval() throws {
        var group = try TestGroup()
        let former = group.epochKey
        try group.remove(group.laptop, last: 3, by: .device(group.desktop), sequence: 3)
        #expect(group.members.epochKeys.current == nil && group.members.currentKey(of: group.desktop) == nil)
        try group.drawKey(by: group.desktop, sequence: 4)
        #expect(group.members.epochKeys.current == group.epochKey.id && group.epochKey.id != former.id)
        #expect(group.members.currentKey(of: group.laptop) == nil)
        #expect(group.members.epochKey(group.epochKey.id, of: group.laptop) == nil)
        // What was sealed before stays readable.
        #expect(group.members.epochKey(former.id, of: group.laptop) != nil)
        #expect(try group.members.newEpoch(by: group.laptop, sequence: 9, using: &group.entropy) == nil)
    }

    @Test("What a device wrote is dropped, merged or not, when its admission does not count any more")
    func lateAdmission() throws {
        var group = try TestGroup()
        let late = try KeyPairs.random(using: &group.entropy)
        try group.admit(late, by: group.laptop, sequence: 5)
        var state = SyncState()
        state.setCuts(group.members.cuts)
        state.merge(group.save(FileOrigin(device: late.device, sequence: 1)))
        #expect(group.members.cuts == [:] && state.ids.count == 1)
        try group.remove(group.laptop, last: 4, by: .device(group.desktop), sequence: 3)
        #expect(group.members.cuts == [group.laptop.device: 4, late.device: 0])
        state.setCuts(group.members.cuts)
        #expect(state.ids == [])
    }

    @Test("A machine that does not have an epoch's key cannot state that it was given it, or the key would never count")
    func unprovenEpoch() throws {
        var group = try TestGroup()
        let laptop = group.laptop
        try group.remove(laptop, last: 3, by: .device(group.desktop), sequence: 3)
        try group.drawKey(by: group.desktop, sequence: 4)
        guard case .epoch(let grant) = try required(group.members.statements.last).content else { throw Missing() }
        func claim(_ change: (inout [UInt8]) -> Void) throws -> StatementRefusal? {
            var bytes = BinaryWriter.bytes { grant.write(to: &$0) }
            change(&bytes)
            let changed = try bytes.withUnsafeBytes { memory in
                var reader = BinaryReader(memory)
                return try required(EpochGrant(from: &reader))
            }
            let statement = try SignedStatement(
                .epoch(changed), group: group.group, signer: .device(laptop.device), sequence: 9, keys: laptop)
            let refused = refusal(statement, by: group.members)
            group.members.insert([statement])
            return refused
        }
        #expect(try claim { _ in } == .keyUnproven)
        #expect(try claim { $0.replaceSubrange(33..<49, with: laptop.device.rawValue.bytes) } == .keyUnproven)
        #expect(group.members.epochKeys.current == group.epochKey.id)
    }

    @Test("A statement of an unknown kind is kept and passed on, and requires an update")
    func unknownKind() throws {
        var group = try TestGroup()
        let statement = try SignedStatement(
            .unknown(77, [1, 2, 3]), group: group.group, signer: .device(group.laptop.device), sequence: 3,
            keys: group.laptop)
        #expect(!group.members.needsUpdate)
        group.members.insert([try required(SignedStatement(statement.bytes))])
        #expect(group.members.needsUpdate && group.members.statements.contains(statement))
        #expect(group.members.list.members == [group.desktop.device, group.laptop.device])
        // A stolen machine may have stated it.
        group.members.insert([
            try .removal(of: group.laptop.device, last: 9, from: group.group, by: .device(group.desktop), sequence: 5)
        ])
        #expect(!group.members.needsUpdate && group.members.statements.contains(statement))
    }

    @Test("No more statements are kept than the limit")
    func limit() throws {
        var group = try TestGroup()
        let many = try (1...UInt64(SyncFileLimits.statements)).map { sequence in
            try SignedStatement(
                .unknown(9, []), group: group.group, signer: .device(group.laptop.device), sequence: sequence,
                keys: group.laptop)
        }
        let result = group.members.insert(many)
        #expect(group.members.statements.count == SyncFileLimits.statements)
        #expect(Set(result.refused.values) == [.tooMany] && result.refused.count == 3)
    }

    @Test("Malformed statements are refused")
    func malformed() throws {
        let group = try TestGroup()
        for statement in group.members.statements {
            for length in 0..<statement.bytes.count {
                let cut = SignedStatement(Array(statement.bytes.prefix(length)))
                #expect(cut == nil)
            }
            #expect(SignedStatement(statement.bytes + [0]) == nil)
        }
        let removal = try SignedStatement.removal(
            of: group.laptop.device, last: 100_000_000, from: group.group, by: .device(group.desktop), sequence: 5)
        #expect(SignedStatement(removal.bytes) == nil)
        #expect(SignedStatement([UInt8](repeating: 9, count: SyncFileLimits.statementBytes + 1)) == nil)
    }
}
