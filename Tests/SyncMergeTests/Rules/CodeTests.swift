// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// One-time-code secrets and their counters.
@Suite("Codes on two machines")
struct CodeTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func start() {
        desktop.save(id(1), "first")
        desktop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        laptop.merge(desktop)
    }

    private func advance(_ copy: VaultCopy, _ id: ObjectID = id(1)) -> UInt64? {
        var counter: UInt64?
        copy.change { counter = $0.advanceCounter(of: id) }
        return counter
    }

    @Test("The greatest counter counts, whichever machine counted and in whatever order files arrive")
    func counters() {
        start()
        #expect([advance(desktop), advance(desktop), advance(desktop)] == [1, 2, 3])
        #expect(advance(laptop) == 1)
        exchange(desktop, laptop)
        #expect(laptop.view(id(1))?.counter == 3)
        #expect(advance(laptop) == 4)
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.counter == 4)
    }

    @Test("A secret that is set again keeps its counter")
    func setAgain() {
        start()
        _ = advance(desktop)
        desktop.change { $0.setCode(nil, of: id(1)) }
        #expect(desktop.view(id(1))?.counter == 0)
        desktop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        #expect(desktop.view(id(1))?.counter == 1)
    }

    @Test("The same secret under two ids of a group has one counter, which the ids keep when they split")
    func counterOfGroup() {
        start()
        laptop.save(id(2), "other", user: "bob")
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(2)) }
        laptop.change { $0.move(id(2), user: "ann", sites: ["shop.example"]) }
        #expect([advance(laptop), advance(laptop, id(2))] == [1, 2])
        for number: UInt64 in [1, 2] {
            var apart = SyncState()
            apart.merge(laptop.state.operations.filter { $0.record == nil || $0.record == id(number) })
            #expect(apart.view(of: id(number))?.counter == 2)
        }
    }

    @Test("A removal of the code is a value of its own: it wins over an older code, and an older removal does not win")
    func removal() {
        start()
        desktop.change { $0.setCode(SyncSecret("newer"), of: id(1)) }
        laptop.clock += 10_000
        laptop.change { $0.setCode(nil, of: id(1)) }
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.code == nil)
        #expect(desktop.view(id(1))?.formerCodes.map(\.uri.text) == ["newer", "otp"])
        desktop.clock += 100_000
        desktop.change { $0.setCode(SyncSecret("newest"), of: id(1)) }
        exchange(desktop, laptop)
        #expect(laptop.view(id(1))?.codeTexts == ["newest", "newer", "otp"])
    }

    @Test("Ten former codes are kept")
    func eviction() {
        start()
        for number in 0..<12 {
            desktop.change { $0.setCode(SyncSecret("otp\(number)"), of: id(1)) }
            if number == 5 { desktop.change { $0.setCode(nil, of: id(1)) } }
        }
        #expect(desktop.view(id(1))?.codeTexts == (1...11).reversed().map { "otp\($0)" })
    }

    @Test(
        "A secret that two machines set at once appears once, and the greater of its two counters counts",
        arguments: [1, 3])
    func setAtOnce(steps: UInt64) {
        desktop.save(id(1), "first")
        laptop.merge(desktop)
        for copy in [desktop, laptop] { copy.change { $0.setCode(SyncSecret("otp"), of: id(1)) } }
        for _ in 0..<steps { _ = advance(desktop) }
        for _ in 0..<(4 - steps) { _ = advance(laptop) }
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.codeTexts == ["otp"])
        #expect(desktop.view(id(1))?.counter == 3)
        #expect(advance(laptop) == 4)
    }
}
