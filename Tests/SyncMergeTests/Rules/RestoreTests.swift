// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// A backup that wins over all that is known.
@Suite("Restoring a backup that wins")
struct RestoreTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func backup() -> SyncState {
        desktop.save(id(1), "backup")
        desktop.setField("label", "backup", of: id(1))
        laptop.merge(desktop)
        return desktop.state
    }

    private func restore(_ backup: SyncState) {
        desktop.merge(laptop)
        desktop.change { $0.restore(backup) }
        laptop.merge(desktop)
        #expect(desktop.state == laptop.state)
    }

    @Test("Its values are in use everywhere, later than all others; the other passwords are history")
    func wins() {
        let backup = self.backup()
        laptop.clock += 31_536_000_000
        laptop.save(id(1), "newer")
        laptop.setField("label", "newer", of: id(1))
        restore(backup)
        #expect(laptop.view(id(1))?.passwordTexts == ["backup", "newer"])
        #expect(laptop.view(id(1))?.fields["label"]?.text == "backup")
    }

    @Test("What it shows and others deleted is there again")
    func revives() {
        let backup = self.backup()
        laptop.change { $0.delete(id(1)) }
        restore(backup)
        #expect(laptop.state.isAlive(id(1)))
        #expect(laptop.view(id(1))?.passwordTexts == ["backup"])
    }

    @Test("What it lacks is deleted, and can be undeleted")
    func deletes() {
        let backup = self.backup()
        laptop.save(id(2), "only here", user: "bob")
        restore(backup)
        #expect(laptop.view(id(2))?.isAlive == false)
        laptop.change { $0.undelete(id(2)) }
        #expect(laptop.view(id(2))?.passwordTexts == ["only here"])
    }

    @Test("What it shows as deleted is deleted")
    func deleted() {
        desktop.save(id(1), "a")
        desktop.change { $0.delete(id(1)) }
        laptop.merge(desktop)
        let backup = desktop.state
        laptop.change { $0.undelete(id(1)) }
        restore(backup)
        #expect(!laptop.state.isAlive(id(1)))
    }

    @Test("Fields, sites and a code that it lacks are gone")
    func lacks() {
        let backup = self.backup()
        laptop.setField("notes", "newer", of: id(1))
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(1)) }
        laptop.change { $0.move(id(1), user: "bob", sites: ["bank.example"]) }
        restore(backup)
        #expect(laptop.view(id(1))?.fields["notes"] == nil)
        #expect(laptop.view(id(1))?.code == nil)
        #expect(laptop.view(id(1))?.formerCodes.map(\.uri.text) == ["otp"])
        #expect(laptop.view(id(1))?.sites == ["shop.example"])
        #expect(laptop.view(id(1))?.user == "ann")
    }

    @Test("It is later than a record at its login that it does not have")
    func otherRecord() {
        let backup = self.backup()
        laptop.clock += 31_536_000_000
        laptop.change { $0.move(id(1), user: "bob", sites: ["bank.example"]) }
        laptop.save(id(2), "newer")
        restore(backup)
        laptop.change { $0.undelete(id(2)) }
        #expect(laptop.view(id(1))?.password?.secret.text == "backup")
    }

    @Test("Each id of a group keeps its newest password, though the history has space only for those of another")
    func evictionFromGroup() {
        for number in 0...10 { desktop.save(id(1), "d\(number)") }
        laptop.clock += 31_536_000_000
        for number in 0...10 { laptop.save(id(2), "l\(number)") }
        desktop.merge(laptop)
        restore(desktop.state)
        let newest = [id(1), id(2)].map { desktop.state.records[$0]?.elements(of: .password).last?.value.text }
        #expect(newest == ["d10", "l10"])
        #expect(laptop.view(id(1))?.password?.secret.text == "l10")
    }

    @Test("What a removed machine wrote beyond its cut does not return with it")
    func cut() {
        let stolen = VaultCopy(3)
        stolen.save(id(3), "foul", user: "bob")
        desktop.merge(stolen)
        let backup = self.backup()
        laptop.state.setCuts([stolen.device: 0])
        restore(backup)
        #expect(laptop.view(id(3)) == nil)
        #expect(laptop.view(id(1))?.passwordTexts == ["backup"])
    }

    @Test("It leaves ten former passwords and ten former codes")
    func limits() {
        let backup = self.backup()
        for number in 0..<9 {
            laptop.save(id(1), "l\(number)")
            desktop.save(id(1), "d\(number)")
            laptop.change { $0.setCode(SyncSecret("lo\(number)"), of: id(1)) }
            desktop.change { $0.setCode(SyncSecret("do\(number)"), of: id(1)) }
        }
        restore(backup)
        #expect(laptop.view(id(1))?.passwordTexts.count == 11 && laptop.view(id(1))?.formerCodes.count == 10)
        #expect(laptop.view(id(1))?.password?.secret.text == "backup" && laptop.view(id(1))?.code == nil)
    }

    @Test("Into a vault that has nothing of it: what others still have of its old writings is replaced, not doubled")
    func intoEmpty() {
        let backup = self.backup()
        let new = VaultCopy(4)
        new.clock += 31_536_000_000
        new.change { $0.restore(backup) }
        exchange(new, laptop)
        #expect(new.state == laptop.state)
        // User, site, password and label.
        #expect(new.state.records[id(1)]?.elements.count == 4)
    }
}
