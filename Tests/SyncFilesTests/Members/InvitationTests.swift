// SPDX-License-Identifier: Apache-2.0
import SecretMemory
import SyncMerge
import TestGround
import Testing
import VaultFormat

@testable import SyncFiles

@Suite("Invitations")
struct InvitationTests {
    private struct Case {
        var group: TestGroup
        var invitation: Invitation
        let phone: KeyPairs

        init(seed: UInt64 = 1) throws {
            group = try TestGroup(seed: seed)
            let vector = VersionVector([group.desktop.device: 12, group.laptop.device: 7])
            invitation = try Invitation(
                to: group.members, from: "desktop", vector: vector, now: 1000, using: &group.entropy)
            phone = try KeyPairs.random(using: &group.entropy)
        }

        func answer(_ machine: KeyPairs? = nil, name: String = "phone") throws -> [UInt8] {
            try ReceivedInvitation(invitation.file, typed: invitation.code.grouped)
                .answer(by: machine ?? phone, named: name)
        }
    }

    @Test("A machine that has the code learns the group, answers, and is known by its keys and name")
    func roundTrip() throws {
        var test = try Case()
        let typed = SecretBytes(
            utf8: String(decoding: test.invitation.code.grouped.withUnsafeBytes { Array($0) }, as: UTF8.self)
                .lowercased())
        let received = try ReceivedInvitation(test.invitation.file, typed: typed)
        #expect(received.group == test.group.group && received.deviceName == "desktop")
        #expect(received.vector == VersionVector([test.group.desktop.device: 12, test.group.laptop.device: 7]))
        #expect(received.members.recovery == test.group.recoveryKeys.publicKeys)
        #expect(received.members.list.members == [test.group.desktop.device])
        let none = try test.invitation.read([], now: 2000)
        #expect(none == nil)
        let answer = try required(try test.invitation.read([try test.answer()], now: 2000))
        #expect(answer.publicKeys == test.phone.publicKeys && answer.deviceName == "phone")
        try test.group.admit(test.phone, by: test.group.desktop, sequence: 3)
        try test.group.drawKey(by: test.group.desktop, sequence: 4)
        var members = received.members
        members.insert(test.group.members.statements)
        #expect(try required(members.currentKey(of: test.phone)).bytes.equals(test.group.epochKey.bytes))
    }

    @Test("Without the code an invitation is not read, and a changed one not at all")
    func otherCode() throws {
        var test = try Case()
        let other = WrittenKey.random(using: &test.group.entropy).grouped
        #expect(
            failure { () throws(InvitationError) in try ReceivedInvitation(test.invitation.file, typed: other) }
                == .otherCode)
        let mistyped = SecretBytes(utf8: "QQQQ-QQQQ-QQQQ-QQQQ-QQQQ-QQQQ-QQQQ-QQQQ")
        #expect(
            failure { () throws(InvitationError) in try ReceivedInvitation(test.invitation.file, typed: mistyped) }
                == .codeMistyped)
        let code = test.invitation.code.grouped
        for position in test.invitation.file.indices {
            var file = test.invitation.file
            file[position] ^= 1
            let expected: InvitationError =
                switch position {
                case 0..<4: .malformed
                case 4: .malformed
                default: .otherCode
                }
            #expect(failure { () throws(InvitationError) in try ReceivedInvitation(file, typed: code) } == expected)
        }
        var newer = test.invitation.file
        newer[4] = 2
        #expect(failure { () throws(InvitationError) in try ReceivedInvitation(newer, typed: code) } == .newerFormat(2))
        for length in [0, 3, 36, 37, 64, test.invitation.file.count - 1] {
            let cut = Array(test.invitation.file.prefix(length))
            #expect(failure { () throws(InvitationError) in try ReceivedInvitation(cut, typed: code) } != nil)
        }
    }

    @Test("Answers with another code, to another invitation, cut off or changed are ignored")
    func foreignAnswers() throws {
        var test = try Case()
        let other = try Case(seed: 2)
        let answer = try test.answer()
        var foreign = [try other.answer(), [], Array("AFsa".utf8), answer.dropLast(), answer + [0]]
        for position in stride(from: 0, to: answer.count, by: 5) {
            var changed = answer
            changed[position] ^= 1
            foreign.append(changed)
        }
        let read = try test.invitation.read(foreign, now: 2000)
        #expect(read == nil)
        let found = try test.invitation.read(foreign + [answer], now: 2000)
        #expect(found?.deviceName == "phone")
    }

    @Test("Two answers to one code are both refused, one that is there twice is not")
    func twoAnswers() throws {
        var test = try Case()
        let thief = try KeyPairs.random(using: &test.group.entropy)
        let answer = try test.answer()
        let twice = try test.invitation.read([answer, answer, try test.answer()], now: 2000)
        #expect(twice?.publicKeys == test.phone.publicKeys)
        let both = [answer, try test.answer(thief)]
        #expect(failure { () throws(InvitationError) in try test.invitation.read(both, now: 2000) } == .twoAnswers)
        #expect(failure { () throws(InvitationError) in try test.invitation.read([answer], now: 2000) } == .twoAnswers)
        // Also where the second arrives while the user is asked, or under another name.
        var later = try Case()
        _ = try later.invitation.read([try later.answer()], now: 2000)
        let second = try later.answer(name: "tablet")
        #expect(failure { () throws(InvitationError) in try later.invitation.read([second], now: 2000) } == .twoAnswers)
    }

    @Test("An invitation is valid for 15 minutes, and once")
    func validity() throws {
        var test = try Case()
        let answer = try test.answer(), end = 1000 + 15 * 60_000 as Int64
        let found = try test.invitation.read([answer], now: end - 1)
        #expect(found != nil)
        var used = test.invitation
        used.finish()
        #expect(failure { () throws(InvitationError) in try used.read([answer], now: 2000) } == .used)
        #expect(failure { () throws(InvitationError) in try test.invitation.read([answer], now: end) } == .expired)
        #expect(failure { () throws(InvitationError) in try test.invitation.read([answer], now: 2000) } == .expired)
    }

    @Test("A machine that does not have the keys that it states, or unusable ones, is not let in")
    func unprovenKeys() throws {
        var test = try Case()
        let signing = test.group.laptop.publicKeys.signing
        let stolen = PublicKeys(signing: signing, sealing: test.phone.publicKeys.sealing)
        let forged = try answer(of: test, stating: stolen)
        #expect(
            failure { () throws(InvitationError) in try test.invitation.read([forged], now: 2000) } == .keysUnproven)
        let zero = PublicKeys(signing: test.phone.publicKeys.signing, sealing: [UInt8](repeating: 0, count: 32))
        let unusable = try answer(of: test, stating: zero)
        #expect(
            failure { () throws(InvitationError) in try test.invitation.read([unusable], now: 2000) } == .keysUnusable)
    }

    /// An answer that the phone signs for these keys.
    private func answer(of test: Case, stating stated: PublicKeys) throws -> [UInt8] {
        let invitation = test.invitation
        let (group, id) = try InvitationKeys.read(Invitation.magic, invitation.file)
        let keys = InvitationKeys(invitation.code, id: id, group: group), header = keys.header(InvitationAnswer.magic)
        let received = try ReceivedInvitation(invitation.file, typed: invitation.code.grouped)
        let signature = try test.phone.sign(InvitationAnswer.message(header, stated, "phone"), as: .answer)
        let plain = BinaryWriter.encode(padded: SizeClass.record) { writer in
            stated.write(to: &writer)
            writer.put(whole: signature)
            writer.put(counted: "phone")
        }
        return header + (try keys.answer.seal(plain, to: received.answerKey, associated: header))
    }
}
