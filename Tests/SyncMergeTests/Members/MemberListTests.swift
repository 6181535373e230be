// SPDX-License-Identifier: Apache-2.0
import SyncMerge
import Testing

/// Who belongs to the group (sync: "Members").
@Suite("Members")
struct MemberListTests {
    private let a = DeviceID(rawValue: 1), b = DeviceID(rawValue: 2), c = DeviceID(rawValue: 3),
        d = DeviceID(rawValue: 4)

    private func admission(by device: DeviceID, _ sequence: UInt64, of new: DeviceID) -> MemberStatement {
        MemberStatement(signer: .device(device), sequence: sequence, content: .admission(of: new))
    }

    private func removal(
        by device: DeviceID?, _ sequence: UInt64, of other: DeviceID, last: UInt64
    ) -> MemberStatement {
        MemberStatement(
            signer: device.map { .device($0) } ?? .recoveryKey, sequence: sequence,
            content: .removal(of: other, last: last))
    }

    private func epoch(
        by device: DeviceID, _ sequence: UInt64, _ key: UInt128, to recipients: Set<DeviceID>
    ) -> MemberStatement {
        MemberStatement(
            signer: .device(device), sequence: sequence,
            content: .epoch(EpochID(rawValue: key), recipients: recipients))
    }

    /// a founded the group and admitted b and d; b admitted c.
    private var admissions: [MemberStatement] {
        [admission(by: a, 1, of: b), admission(by: b, 1, of: c), admission(by: a, 2, of: d)]
    }

    private func list(_ more: MemberStatement...) -> MemberList {
        MemberList(founder: a, statements: admissions + more)
    }

    @Test("Members are ordered by the path of admissions")
    func order() {
        #expect(list().members == [a, b, c, d])
        #expect(list().removable(by: b) == [c, d])
        // The sequences of the admissions count, not the ids.
        let e = DeviceID(rawValue: 5), f = DeviceID(rawValue: 6)
        #expect(list(admission(by: a, 3, of: f), admission(by: a, 4, of: e)).members == [a, b, c, d, f, e])
    }

    @Test("A device removes those that were admitted after it, and no other")
    func seniority() {
        #expect(list(removal(by: b, 2, of: d, last: 7)).members == [a, b, c])
        #expect(list(removal(by: b, 2, of: d, last: 7)).cuts == [d: 7])
        #expect(list(removal(by: c, 1, of: b, last: 0)).members == [a, b, c, d])
    }

    @Test("A device removes itself, and the device that it admitted stays a member")
    func itself() {
        let list = list(removal(by: a, 2, of: a, last: 3), epoch(by: a, 2, 10, to: [b, c, d]))
        #expect(list.members == [b, c, d] && list.cuts == [a: 3])
        // What it states afterwards does not count.
        #expect(!list.counts(removal(by: a, 4, of: b, last: 0)))
    }

    @Test("Of two devices that remove each other the senior stays")
    func mutual() {
        let list = list(removal(by: b, 2, of: c, last: 1), removal(by: c, 1, of: b, last: 0))
        #expect(list.members == [a, b, d])
    }

    @Test("What a removed device states beyond its cut does not count, an admission by it before the cut does")
    func statementsOfRemoved() {
        let e = DeviceID(rawValue: 5), f = DeviceID(rawValue: 6)
        let list = list(
            admission(by: c, 1, of: e), admission(by: c, 3, of: f), removal(by: c, 4, of: d, last: 0),
            removal(by: a, 3, of: c, last: 2))
        #expect(list.members == [a, b, e, d])
    }

    @Test("The earliest of several cuts counts")
    func earliest() {
        #expect(list(removal(by: a, 3, of: c, last: 5), removal(by: b, 2, of: c, last: 3)).cuts == [c: 3])
    }

    @Test("The recovery key removes any device, and before all others")
    func recoveryKey() {
        let list = list(removal(by: nil, 1, of: a, last: 2), removal(by: a, 3, of: b, last: 0))
        #expect(list.members == [b, c, d])
        #expect(list.cuts == [a: 2])
    }

    @Test("A device that was removed before anybody admitted it is no member")
    func removedFirst() {
        let e = DeviceID(rawValue: 5)
        #expect(!list(removal(by: b, 2, of: e, last: 0), admission(by: c, 1, of: e)).contains(e))
    }

    @Test("Two admissions under one sequence, as a twin signs them, are ordered in one way")
    func twins() {
        let e = DeviceID(rawValue: 5), f = DeviceID(rawValue: 6)
        let statements = [
            admission(by: c, 1, of: f), admission(by: c, 1, of: e), removal(by: e, 1, of: f, last: 0),
            removal(by: f, 1, of: e, last: 0),
        ]
        let list = MemberList(founder: a, statements: admissions + statements)
        #expect(list.members == [a, b, c, e, d])
        #expect(list == MemberList(founder: a, statements: statements.reversed() + admissions.reversed()))
    }

    @Test("A key counts only if exactly the present members were ever given it")
    func keys() {
        let all: Set = [a, b, c, d]
        let first = epoch(by: b, 2, 10, to: all), second = epoch(by: a, 3, 11, to: all)
        #expect(EpochKeys(list(first), statements: [first]).current == EpochID(rawValue: 10))
        #expect(EpochKeys(list(first, second), statements: [second, first]).current == EpochID(rawValue: 11))
        // d was given both, and is removed.
        let removal = removal(by: a, 4, of: d, last: 0)
        #expect(EpochKeys(list(first, second, removal), statements: [first, second]).current == nil)
        let third = epoch(by: a, 5, 12, to: [a, b, c])
        #expect(EpochKeys(list(removal), statements: [first, third]).current == EpochID(rawValue: 12))
        #expect(EpochKeys(list(removal), statements: [third]).recipients == [a, b, c])
        // A key that lacks a member, and one that somebody gave to d as well.
        #expect(EpochKeys(list(removal), statements: [epoch(by: a, 5, 13, to: [a, b])]).current == nil)
        let given = [third, epoch(by: d, 9, 12, to: [d])]
        #expect(EpochKeys(list(removal), statements: given).current == nil)
        #expect(EpochKeys(list(removal), statements: given.reversed()).current == nil)
    }

    @Test("No key that a removed device states counts, whatever sequence it gives it")
    func keyOfRemoved() {
        let removal = removal(by: a, 4, of: d, last: 4)
        for sequence in 3...5 as ClosedRange<UInt64> {
            let drawn = epoch(by: d, sequence, 10, to: [a, b, c])
            #expect(EpochKeys(list(removal), statements: [drawn]).current == nil)
            let other = epoch(by: a, 2, 11, to: [a, b, c])
            #expect(EpochKeys(list(removal), statements: [drawn, other]).current == EpochID(rawValue: 11))
        }
    }

    @Test("Of two admissions of one device that of the senior counts")
    func admittedTwice() {
        let e = DeviceID(rawValue: 5)
        let list = list(admission(by: c, 1, of: e), admission(by: a, 9, of: e))
        #expect(list.members == [a, b, c, d, e])
    }

    @Test("A removal by a senior counts before what the removed device states beyond it")
    func seniorFirst() {
        let e = DeviceID(rawValue: 5)
        let list = list(
            admission(by: d, 1, of: e), removal(by: d, 3, of: e, last: 0), removal(by: b, 2, of: d, last: 2))
        #expect(list.members == [a, b, c, e])
    }

    @Test("A statement counts up to the cut of its signer, the recovery key's always")
    func counting() {
        let list = list(removal(by: a, 3, of: d, last: 4))
        let counting = [4, 5].map { list.counts(epoch(by: d, $0, 10, to: [a])) }
        #expect(counting == [true, false])
        #expect(list.counts(epoch(by: b, 99, 10, to: [a])) && list.counts(removal(by: nil, 99, of: b, last: 0)))
    }
}
