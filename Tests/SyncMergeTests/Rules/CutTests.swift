// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Removed devices that write on (sync: "A cut names the last sequence of a removed machine that counts").
@Suite("Cuts")
struct CutTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2), stolen = VaultCopy(3)

    /// The stolen machine's second and third files do not count.
    private func start() {
        stolen.save(id(1), "counts")
        exchange(desktop, laptop, stolen)
        stolen.save(id(1), "foul")
        stolen.change { $0.delete(id(1)) }
    }

    private var cuts: [DeviceID: UInt64] { [stolen.device: 1] }

    @Test("What was written beyond the cut is dropped, marks included, and what was before it stays")
    func dropped() {
        start()
        desktop.merge(stolen)
        #expect(!desktop.state.isAlive(id(1)))
        let changes = desktop.state.setCuts(cuts)
        #expect(changes.records == [id(1)])
        #expect(!changes.readsAgain)
        #expect(desktop.view(id(1))?.passwordTexts == ["counts"])
        #expect(desktop.state.isAlive(id(1)))
        laptop.state.setCuts(cuts)
        #expect(desktop.state == laptop.state)
    }

    @Test("It is dropped as well where another machine brings it in its snapshot")
    func throughThird() {
        start()
        laptop.merge(stolen)
        desktop.state.setCuts(cuts)
        #expect(desktop.state.merge(laptop.state.operations).isEmpty)
        #expect(desktop.view(id(1))?.passwordTexts == ["counts"])
    }

    @Test("A counter beyond the cut does not count")
    func counter() {
        start()
        desktop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        stolen.merge(desktop)
        stolen.change { _ = $0.advanceCounter(of: id(1)) }
        desktop.merge(stolen)
        #expect(desktop.state.setCuts(cuts).counters.count == 1)
        #expect(desktop.state.counters.isEmpty)
    }

    @Test("What a removed machine replaced beyond the cut returns from a machine that has not merged it")
    func returns() {
        start()
        stolen.setField("label", "counts not", of: id(1))
        desktop.setField("label", "Shop", of: id(1))
        laptop.merge(desktop)
        stolen.merge(desktop)
        stolen.setField("label", "foul", of: id(1))
        desktop.merge(stolen)
        desktop.state.setCuts(cuts)
        #expect(desktop.view(id(1))?.fields["label"] == nil)
        laptop.state.setCuts(cuts)
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.fields["label"]?.text == "Shop")
    }

    @Test("Where a removal no longer counts, the files are merged again and nothing is missing")
    func revoked() {
        start()
        desktop.merge(stolen)
        let before = desktop.state
        desktop.state.setCuts(cuts)
        #expect(desktop.state.setCuts([:]).readsAgain)
        desktop.state.merge(stolen.state.operations)
        #expect(desktop.state == before)
    }

    @Test("A cut that is later than before has the files merged again; an earlier one has not")
    func later() {
        start()
        desktop.merge(stolen)
        desktop.state.setCuts(cuts)
        #expect(desktop.state.setCuts([stolen.device: 2]).readsAgain)
        #expect(!desktop.state.setCuts([stolen.device: 0]).readsAgain)
        #expect(desktop.state.ids.isEmpty)
    }

    @Test("A record appears at the login that it has without what was written beyond the cut")
    func login() {
        start()
        stolen.change { $0.move(id(1), user: "bob", sites: ["bank.example"]) }
        desktop.merge(stolen)
        desktop.state.setCuts(cuts)
        #expect(desktop.state.records(with: Login(site: "bank.example", user: "bob")).isEmpty)
        #expect(desktop.state.logins(of: id(1)) == [Login(site: "shop.example", user: "ann")])
        desktop.save(id(2), "other")
        #expect(desktop.state.group(of: id(2)) == [id(1), id(2)])
    }

    @Test("What a machine's former id wrote beyond a cut stays where it is written again, and no more than that")
    func kept() {
        // The desktop's former id is the third one, of which four files count.
        stolen.save(id(1), "first")
        stolen.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        stolen.setField("label", "counts", of: id(1))
        laptop.merge(stolen)
        laptop.save(id(2), "of the laptop", user: "bob")
        stolen.merge(laptop)
        stolen.save(id(1), "at the cut")
        stolen.clock += 1_000_000
        stolen.save(id(1), "kept")
        stolen.setField("label", "kept", of: id(1))
        stolen.change { _ = $0.advanceCounter(of: id(1)) }
        stolen.change { $0.delete(id(2)) }
        stolen.save(id(3), "deleted", user: "eve")
        stolen.change { $0.delete(id(3)) }
        desktop.merge(stolen)
        let before = desktop.state.views
        let cuts = [stolen.device: 4, laptop.device: 0] as [DeviceID: UInt64]
        var renewed: [Mark: Mark] = [:]
        let written = desktop.change { renewed = $0.keep([stolen.device], under: cuts) }
        let values = written.filter { if case .add = $0 { true } else { false } }
        // "kept", the label, and of the third record the user, the site and the password.
        #expect(values.count == 5 && renewed.count == 5)
        // The laptop keeps its own.
        desktop.state.setCuts([stolen.device: 4])
        // It has the label that was replaced beyond the cut.
        desktop.merge(laptop)
        for view in before {
            let after = desktop.view(view.id)
            #expect(after?.isSame(as: view) == true && after?.counter == view.counter)
            #expect(after?.password?.stamp.time == view.password?.stamp.time)
        }
        #expect(desktop.state.records[id(1)]?.elements(of: .field("label")).count == 1)
        let marks = renewed.values.filter { mark in
            desktop.state.records.values.contains { $0.elements.contains { $0.mark == mark } }
        }
        #expect(marks.count == 5)
    }
}
