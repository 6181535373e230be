// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Saves, fields and histories of two machines.
@Suite("Writing on two machines")
struct WritingTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    @Test("Of two passwords saved at once the later is in use, and the other is its history")
    func bothSaved() {
        desktop.save(id(1), "first")
        laptop.merge(desktop)
        desktop.save(id(1), "desktop")
        laptop.clock += 5000
        laptop.save(id(1), "laptop")
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.passwordTexts == ["laptop", "desktop", "first"])
    }

    @Test("What replaces a value is newer, though the clock is nine years behind")
    func clockBehind() {
        desktop.save(id(1), "first")
        desktop.setField("label", "first", of: id(1))
        laptop.merge(desktop)
        laptop.clock -= 9 * 31_536_000_000
        laptop.save(id(1), "second")
        laptop.setField("label", "second", of: id(1))
        desktop.merge(laptop)
        #expect(desktop.view(id(1))?.passwordTexts == ["second", "first"])
        #expect(desktop.view(id(1))?.fields["label"]?.text == "second")
    }

    @Test("A clock that is years ahead is not adopted: other records keep the own time")
    func clockAhead() {
        laptop.clock += 9 * 31_536_000_000
        laptop.save(id(1), "first")
        desktop.merge(laptop)
        desktop.save(id(2), "other", user: "bob")
        #expect(desktop.view(id(2))?.password?.stamp.time.milliseconds == desktop.clock)
    }

    @Test("A save at a login whose record was deleted is newer than the deleted one")
    func newerThanDeleted() {
        laptop.clock += 31_536_000_000
        laptop.save(id(1), "old")
        laptop.change { $0.delete(id(1)) }
        desktop.merge(laptop)
        desktop.save(id(2), "new")
        desktop.change { $0.undelete(id(1)) }
        #expect(desktop.view(id(1))?.passwordTexts == ["new", "old"])
    }

    @Test("A field names only the values that it had seen, so both of two at once stay until the next write")
    func fieldsAtOnce() {
        desktop.save(id(1), "first")
        laptop.merge(desktop)
        desktop.setField("label", "desktop", of: id(1))
        laptop.clock += 5000
        laptop.setField("label", "laptop", of: id(1))
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.fields["label"]?.text == "laptop")
        #expect(desktop.state.records[id(1)]?.elements(of: .field("label")).count == 2)
        desktop.setField("label", "both seen", of: id(1))
        exchange(desktop, laptop)
        #expect(laptop.state.records[id(1)]?.elements(of: .field("label")).count == 1)
        #expect(laptop.view(id(1))?.fields["label"]?.text == "both seen")
    }

    @Test("A save leaves ten former passwords, and names what it drops: an old file does not bring it back")
    func eviction() {
        desktop.save(id(1), "p0")
        let old = desktop.state.operations
        for number in 1...11 { desktop.save(id(1), "p\(number)") }
        #expect(desktop.view(id(1))?.passwordTexts == (1...11).reversed().map { "p\($0)" })
        desktop.state.merge(old)
        #expect(desktop.view(id(1))?.passwordTexts.contains("p0") == false)
    }

    @Test("A merge drops nothing: a history may exceed ten until the next save")
    func longHistory() {
        desktop.save(id(1), "p")
        laptop.merge(desktop)
        for number in 0..<10 { desktop.save(id(1), "d\(number)") }
        for number in 0..<10 { laptop.save(id(1), "l\(number)") }
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.passwordTexts.count == 21)
        desktop.save(id(1), "next")
        #expect(desktop.view(id(1))?.passwordTexts.count == 11)
    }

    @Test("Equal passwords appear once, at their newest use")
    func equalSecrets() {
        desktop.save(id(1), "a")
        laptop.merge(desktop)
        desktop.save(id(1), "b")
        laptop.clock += 5000
        laptop.save(id(1), "b")
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.passwordTexts == ["b", "a"])
        desktop.clock += 10_000
        desktop.save(id(1), "a")
        #expect(desktop.view(id(1))?.passwordTexts == ["a", "b"])
        #expect(desktop.state.records[id(1)]?.elements(of: .password).count == 2)
    }

    @Test("What replaces a value of the last instant that there is is in use")
    func lastInstant() {
        desktop.save(id(1), "first")
        let stamp = Stamp(time: Timestamp(milliseconds: .max), origin: .beforeSync, random: 0)
        let value = ElementValue.password(SyncSecret("last instant"), site: "shop.example", user: "ann")
        desktop.state.merge([.add(id(1), Element(stamp: stamp, value: value))])
        desktop.save(id(1), "next")
        #expect(desktop.view(id(1))?.passwordTexts == ["next", "last instant", "first"])
    }

    @Test("Instants, counters and sequences of another machine at the end of their range do no harm")
    func extremes() {
        laptop.clock = .max - 2000
        laptop.save(id(1), "first")
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        desktop.merge(laptop)
        let nonce = desktop.view(id(1))?.code.flatMap { desktop.state.nonces(of: $0.uri, in: [id(1)]).first } ?? 0
        desktop.state.merge([.counter(nonce, .max, by: FileOrigin(device: laptop.device, sequence: .max))])
        for number in 0..<5 {
            desktop.save(id(1), "p\(number)")
            desktop.setField("label", "l\(number)", of: id(1))
        }
        desktop.change {
            #expect($0.advanceCounter(of: id(1)) == nil)
            $0.restore(laptop.state)
        }
        #expect(desktop.state.isAlive(id(1)))
    }
}
