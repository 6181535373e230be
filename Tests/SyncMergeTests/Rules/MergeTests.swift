// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import TestGround
import Testing

/// The merge itself: a union, whatever the order.
@Suite("Merging")
struct MergeTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    /// A state with every kind of operation.
    private func operations() -> [SyncOperation] {
        desktop.save(id(1), "a")
        desktop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        laptop.merge(desktop)
        laptop.save(id(2), "b")
        laptop.setField("x-later-version", "kept", of: id(2))
        desktop.change { _ = $0.advanceCounter(of: id(1)) }
        desktop.change { $0.delete(id(1)) }
        laptop.change { $0.move(id(2), user: "bob", sites: ["mail.example"]) }
        laptop.change { _ = $0.advanceCounter(of: id(1)) }
        return desktop.state.operations + laptop.state.operations
    }

    @Test("The same operations in any order, in pieces and again lead to the same state", arguments: 0..<50)
    func anyOrder(seed: UInt64) {
        let all = operations()
        var expected = SyncState()
        expected.merge(all)
        var random = SeededGenerator(seed: seed)
        var state = SyncState()
        let mixed = (all + all).shuffled(using: &random)
        let middle = Int.random(in: 0...mixed.count, using: &random)
        state.merge(mixed[middle...])
        state.merge(mixed[..<middle])
        #expect(state == expected)
        #expect(state.operations == expected.operations)
        for id in expected.ids {
            #expect(state.group(of: id) == expected.group(of: id))
            #expect(state.logins(of: id) == expected.logins(of: id))
        }
    }

    @Test("A merge names the records and the counters that it changed, and nothing else")
    func changes() {
        let all = operations()
        var state = SyncState()
        #expect(state.merge(all).records == [id(1), id(2)])
        #expect(state.merge(all).isEmpty)
        let nonce = state.counters.keys.first ?? 0
        let origin = FileOrigin(device: laptop.device, sequence: 99)
        #expect(state.merge([.counter(nonce, 9, by: origin)]).counters == [nonce])
        #expect(state.merge([.counter(nonce, 8, by: origin)]).isEmpty)
    }

    @Test("A kind that this version does not know is kept, changed with its record and passed on")
    func unknownKind() {
        desktop.save(id(1), "a")
        desktop.setField("x-later-version", "kept", of: id(1))
        desktop.change { $0.delete(id(1)) }
        desktop.change { $0.undelete(id(1)) }
        laptop.merge(desktop)
        #expect(laptop.view(id(1))?.fields["x-later-version"]?.text == "kept")
    }

    @Test("Values of one stamp are both kept, and every machine shows the same one")
    func oneStamp() {
        let stamp = Stamp(time: Timestamp(milliseconds: 5), origin: .beforeSync, random: 1)
        let values: [ElementValue] = [
            .field("label", SyncSecret("a")), .field("label", SyncSecret("b")), .field("notes", SyncSecret("c")),
            .site("s"), .site("t"), .user("u"), .user("v"), .code(nil),
            .code(OneTimeCode(uri: SyncSecret("o"), nonce: 1)),
            .code(OneTimeCode(uri: SyncSecret("o"), nonce: 2)), .code(OneTimeCode(uri: SyncSecret("p"), nonce: 1)),
            .password(SyncSecret("p"), site: "s", user: "u"), .password(SyncSecret("p"), site: "t", user: "u"),
            .password(SyncSecret("q"), site: "s", user: "u"),
        ]
        var random = SeededGenerator(seed: 1)
        let operations = values.map { SyncOperation.add(id(1), Element(stamp: stamp, value: $0)) }
        var expected = SyncState()
        expected.merge(operations)
        #expect(expected.records[id(1)]?.elements.count == values.count)
        for _ in 0..<20 {
            var state = SyncState()
            state.merge(operations.shuffled(using: &random))
            #expect(state == expected)
        }
    }

    @Test("A mark depends on the stamp alone, by FNV-1a over 40 bytes")
    func mark() {
        let stamp = Stamp(
            time: Timestamp(milliseconds: 1_800_000_000_123),
            origin: FileOrigin(device: DeviceID(rawValue: 0x0123_4567_89AB_CDEF_0011_2233_4455_6677), sequence: 42),
            random: 0xFEDC_BA98_7654_3210)
        #expect(Mark(of: stamp).rawValue == 0xF825_01FD_94F8_8FB6)
        #expect(Element(stamp: stamp, value: .user("a")).mark == Element(stamp: stamp, value: .user("b")).mark)
    }

    @Test(
        "An element of a kind that this version does not know is kept, revives a record, and is restored and passed on")
    func unknownElement() {
        desktop.save(id(1), "a")
        desktop.change { $0.delete(id(1)) }
        let stamp = Stamp(
            time: Timestamp(milliseconds: 5), origin: FileOrigin(device: laptop.device, sequence: 1), random: 1)
        let value = ElementValue.unknown(200, SyncSecret("content"))
        desktop.state.merge([.add(id(1), Element(stamp: stamp, value: value))])
        #expect(desktop.state.isAlive(id(1)))
        desktop.change { $0.delete(id(1)) }
        // A purge elsewhere at this moment takes what is not written again.
        laptop.merge(desktop)
        laptop.change { $0.purge(id(1)) }
        desktop.change { $0.undelete(id(1)) }
        laptop.merge(desktop)
        let found = laptop.state.records[id(1)]?.elements(of: .unknown(200))
        #expect(found?.map(\.value) == [value] && found?.first?.stamp.time == stamp.time)
    }

    @Test("Stamps are ordered by time, then device, sequence and random bits")
    func stampOrder() {
        func stamp(_ time: Int64, _ device: UInt128, _ sequence: UInt64, _ random: UInt64) -> Stamp {
            let origin = FileOrigin(device: DeviceID(rawValue: device), sequence: sequence)
            return Stamp(time: Timestamp(milliseconds: time), origin: origin, random: random)
        }
        let ascending = [
            stamp(-1, 9, 9, 9), stamp(1, 0, 0, 0), stamp(1, 1, 5, 9), stamp(1, 1, 6, 3), stamp(1, 1, 6, 4),
            stamp(1, 2, 1, 0), stamp(2, 1, 1, 0),
        ]
        #expect(Array(ascending.reversed()).sorted() == ascending)
    }
}
