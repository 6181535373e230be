// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Deletions, undeletes and purges (sync: "A deletion marks the elements that it had seen as dead").
@Suite("Deleting while others write")
struct DeletionTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func start() {
        desktop.save(id(1), "first")
        desktop.setField("label", "Shop", of: id(1))
        laptop.merge(desktop)
    }

    @Test("A password that the deletion had not seen revives the record")
    func revivedByPassword() {
        start()
        desktop.change { $0.delete(id(1)) }
        laptop.save(id(1), "second")
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.isAlive == true)
        #expect(desktop.view(id(1))?.passwordTexts == ["second", "first"])
    }

    @Test("A value of any kind revives the record", arguments: ["label", "x-later-version"])
    func revivedByField(name: String) {
        start()
        desktop.change { $0.delete(id(1)) }
        laptop.setField(name, "new", of: id(1))
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.isAlive == true)
        #expect(desktop.view(id(1))?.fields[name]?.text == "new")
    }

    @Test("A deletion that had seen everything holds, and merging old files again does not revive the record")
    func deletionHolds() {
        start()
        let old = laptop.state.operations
        desktop.change { $0.delete(id(1)) }
        desktop.state.merge(old)
        laptop.merge(desktop)
        #expect(!desktop.state.isAlive(id(1)))
        #expect(desktop.state == laptop.state)
    }

    @Test("An undelete shows all again in its old order, and what was written later elsewhere stays in use")
    func undelete() {
        start()
        desktop.save(id(1), "second")
        laptop.merge(desktop)
        desktop.change { $0.delete(id(1)) }
        laptop.clock += 10_000
        laptop.save(id(1), "third")
        let before = desktop.view(id(1))
        desktop.clock += 1_000_000
        desktop.change { $0.undelete(id(1)) }
        let after = desktop.view(id(1))
        #expect(after?.isAlive == true)
        #expect(before.map { after?.hasSameContent(as: $0) == true } == true)
        #expect(after?.password?.stamp.time == before?.password?.stamp.time)
        // Each value is stored once: password "first" and "second", label, user, site.
        #expect(desktop.state.records[id(1)]?.elements.count == 5)
        exchange(desktop, laptop)
        #expect(laptop.view(id(1))?.passwordTexts == ["third", "second", "first"])
    }

    @Test("A purge elsewhere at the moment of an undelete takes nothing")
    func purgeAndUndelete() {
        start()
        desktop.change { $0.delete(id(1)) }
        laptop.merge(desktop)
        laptop.change { $0.purge(id(1)) }
        desktop.change { $0.undelete(id(1)) }
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(laptop.view(id(1))?.passwordTexts == ["first"])
        #expect(laptop.view(id(1))?.fields["label"]?.text == "Shop")
        #expect(laptop.view(id(1))?.sites == ["shop.example"])
    }

    @Test("What was purged stays away, whoever brings it again, and no value is left in the state")
    func purge() {
        start()
        let old = laptop.state.operations
        desktop.change { $0.delete(id(1)) }
        desktop.change { $0.purge(id(1)) }
        desktop.state.merge(old)
        #expect(desktop.state.ids.isEmpty)
        #expect(desktop.view(id(1)) == nil)
        laptop.merge(desktop)
        #expect(laptop.state == desktop.state)
    }

    @Test("A password that a purge had not seen is shown with the site and the user for which it was saved")
    func partialPurge() {
        start()
        desktop.change { $0.delete(id(1)) }
        laptop.save(id(1), "second")
        desktop.change { $0.purge(id(1)) }
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.passwordTexts == ["second"])
        #expect(desktop.view(id(1))?.sites == ["shop.example"])
        #expect(desktop.view(id(1))?.user == "ann")
        desktop.change { $0.setPassword(SyncSecret("third"), site: "bank.example", user: "bob", of: id(1)) }
        #expect(desktop.view(id(1))?.sites == ["bank.example"])
        #expect(desktop.state.records(with: Login(site: "bank.example", user: "bob")) == [id(1)])
    }

    @Test("Deleting through one id deletes every id of the group")
    func deletionOfGroup() {
        desktop.save(id(1), "a")
        laptop.save(id(2), "b")
        exchange(desktop, laptop)
        desktop.change { $0.delete(id(2)) }
        #expect(!desktop.state.isAlive(id(1)))
        #expect(!desktop.state.isAlive(id(2)))
        desktop.change { $0.undelete(id(1)) }
        #expect(desktop.state.isAlive(id(2)))
    }

    @Test("Purging through one id purges every id of the group, and its login is free")
    func purgeOfGroup() {
        desktop.save(id(1), "a")
        laptop.save(id(2), "b")
        exchange(desktop, laptop)
        desktop.change { $0.delete(id(2)) }
        desktop.change { $0.purge(id(2)) }
        #expect(desktop.state.ids.isEmpty)
        #expect(desktop.state.records(with: Login(site: "shop.example", user: "ann")).isEmpty)
        #expect(desktop.state.logins(of: id(1)).isEmpty)
    }

    @Test("Values of one instant keep their order when they are written again, and equal ones are written once")
    func undeleteOfOneInstant() {
        start()
        laptop.clock = desktop.clock
        for password in ["a", "b", "c"] {
            desktop.save(id(1), "desktop \(password)")
            laptop.save(id(1), "laptop \(password)")
        }
        for copy in [desktop, laptop] { copy.save(id(1), "both") }
        exchange(desktop, laptop)
        let before = desktop.view(id(1))?.passwordTexts
        #expect(before?.count == 8)
        desktop.change { $0.delete(id(1)) }
        let written = desktop.change { $0.undelete(id(1)) }
        #expect(desktop.view(id(1))?.passwordTexts == before)
        let passwords = written.filter {
            if case .add(_, let element) = $0 { element.kind == .password } else { false }
        }
        #expect(passwords.count == 8)
    }
}
