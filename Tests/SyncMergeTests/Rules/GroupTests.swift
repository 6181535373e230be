// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Two ids for one site and user (sync: "Records that share a place appear as one").
@Suite("Records with a login in common")
struct GroupTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func join() {
        desktop.save(id(1), "desktop")
        laptop.clock += 5000
        laptop.save(id(2), "laptop")
        exchange(desktop, laptop)
        desktop.clock = laptop.clock
    }

    @Test("They appear as one record under the least id, with both histories")
    func joined() {
        join()
        #expect(desktop.state.views.map(\.id) == [id(1)])
        #expect(desktop.view(id(2))?.id == id(1))
        #expect(desktop.view(id(2))?.aliases == [id(2)])
        #expect(desktop.view(id(2))?.passwordTexts == ["laptop", "desktop"])
    }

    @Test(
        "What is written through an alias is written on every id: each has it when the group splits", arguments: [1, 2])
    func writtenOnAll(moved: UInt64) {
        join()
        desktop.save(id(2), "both")
        desktop.setField("label", "both", of: id(1))
        desktop.change { $0.setCode(SyncSecret("otp"), of: id(2)) }
        // Another machine that knew one id alone moves it elsewhere.
        let other = VaultCopy(3)
        other.state.merge(laptop.state.operations(of: id(moved)))
        other.clock = desktop.clock + 10_000
        other.change { $0.move(id(moved), user: "bob", sites: ["bank.example"]) }
        desktop.merge(other)
        for number: UInt64 in [1, 2] {
            #expect(desktop.view(id(number))?.id == id(number))
            #expect(desktop.view(id(number))?.password?.secret.text == "both")
            #expect(desktop.view(id(number))?.fields["label"]?.text == "both")
            #expect(desktop.view(id(number))?.code?.uri.text == "otp")
        }
    }

    @Test("Another user and other sites are set on every id, and the group stays one")
    func move() {
        join()
        desktop.change { $0.move(id(2), user: "bob", sites: ["bank.example", "mail.example"]) }
        laptop.merge(desktop)
        #expect(laptop.view(id(1))?.aliases == [id(2)])
        #expect(laptop.view(id(1))?.user == "bob")
        #expect(laptop.view(id(1))?.sites == ["bank.example", "mail.example"])
        #expect(laptop.state.records(with: Login(site: "shop.example", user: "ann")).isEmpty)
    }

    @Test("Two moves at once leave the newer user, and the sites of both")
    func movesAtOnce() {
        desktop.save(id(1), "first")
        laptop.merge(desktop)
        desktop.change { $0.move(id(1), user: "ann", sites: ["bank.example"]) }
        laptop.clock += 5000
        laptop.change { $0.move(id(1), user: "bob", sites: ["mail.example"]) }
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.user == "bob")
        #expect(desktop.view(id(1))?.sites == ["bank.example", "mail.example"])
    }

    @Test("A living record and a deleted one at one login stay apart")
    func livingAndDeleted() {
        desktop.save(id(1), "old")
        desktop.change { $0.delete(id(1)) }
        desktop.save(id(2), "new")
        #expect(desktop.view(id(2))?.passwordTexts == ["new"])
        #expect(desktop.state.views.map(\.isAlive) == [false, true])
    }

    @Test("Another user at the site is another record")
    func otherUser() {
        desktop.save(id(1), "a")
        desktop.save(id(2), "b", user: "bob")
        #expect(desktop.state.views.count == 2)
    }

    @Test("Some records with all that have a login in common behave as within the whole")
    func partialState() {
        join()
        desktop.save(id(3), "apart", user: "bob")
        var few = SyncState()
        for id in desktop.state.relatives(of: id(2)) { few.merge(desktop.state.operations(of: id)) }
        #expect(few.ids == [id(1), id(2)])
        #expect(few.view(of: id(2))?.passwordTexts == desktop.view(id(2))?.passwordTexts)
        #expect(few.group(of: id(1)) == desktop.state.group(of: id(1)))
    }

    @Test("Records are one where each has a login in common with another one of them, whichever of its sites that is")
    func chain() {
        desktop.save(id(1), "a")
        desktop.save(id(2), "b", site: "bank.example")
        laptop.save(id(3), "c", site: "mail.example", user: "bob")
        laptop.change { $0.move(id(3), user: "ann", sites: ["bank.example", "mail.example", "shop.example"]) }
        exchange(desktop, laptop)
        for number: UInt64 in 1...3 { #expect(desktop.state.group(of: id(number)) == [id(1), id(2), id(3)]) }
        desktop.change { $0.delete(id(3)) }
        #expect(desktop.state.views.filter(\.isAlive).isEmpty)
    }
}
