// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// What a save of the vault writes: the difference of what the record was and what it is.
@Suite("Saving a record of the vault")
struct RecordSavingTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func record(_ number: UInt64 = 1) -> EarlierRecord {
        var record = EarlierRecord(
            id: id(number), created: Timestamp(milliseconds: 1000), changed: Timestamp(milliseconds: 900_000),
            user: "ann", sites: ["shop.example"], password: SyncSecret("now"))
        record.formerPasswords = ["p0", "p1"].enumerated().map {
            .init(SyncSecret($1), replaced: Timestamp(milliseconds: 2000 + Int64($0) * 1000))
        }
        record.fields = ["label": SyncSecret("Shop"), "notes": SyncSecret("none")]
        record.code = SyncSecret("otp")
        record.counters = [.init(of: SyncSecret("otp"), value: 4)]
        return record
    }

    /// Saves over a record that the vault had; returns what is published.
    @discardableResult
    private func save(
        over old: EarlierRecord, _ change: (inout EarlierRecord) -> Void
    ) -> (new: EarlierRecord, operations: [SyncOperation]) {
        var new = old
        change(&new)
        let operations = desktop.change { $0.save(new, over: old) }
        laptop.merge(desktop)
        #expect(laptop.state == desktop.state)
        return (new, operations)
    }

    private func first(_ number: UInt64 = 1) -> EarlierRecord {
        let record = record(number)
        desktop.change { $0.save(record, over: nil) }
        laptop.merge(desktop)
        return record
    }

    @Test("A new record is written as a whole")
    func new() {
        _ = first()
        let view = laptop.view(id(1))
        #expect(view?.passwordTexts == ["now", "p1", "p0"])
        #expect(view?.user == "ann" && view?.sites == ["shop.example"])
        #expect(view?.fields["label"]?.text == "Shop")
        #expect(view?.code?.uri.text == "otp" && view?.counter == 4)
    }

    @Test("A save that changes nothing writes nothing, and the order of the sites is nothing")
    func nothing() {
        #expect(save(over: first()) { _ in }.operations.isEmpty)
        let (second, _) = save(over: record()) { $0.sites.append("mail.example") }
        #expect(save(over: second) { $0.sites.reverse() }.operations.isEmpty)
    }

    @Test("What an import brings between two equal secrets is history, and the secret stays in use")
    func importedBetween() {
        let (start, end) = (Timestamp(milliseconds: desktop.clock * 2), Timestamp(milliseconds: desktop.clock * 3))
        save(over: first()) {
            $0.formerPasswords += [.init($0.password, replaced: start), .init(SyncSecret("between"), replaced: end)]
            $0.formerCodes = [.init(SyncSecret("otp"), replaced: start), .init(SyncSecret("code"), replaced: end)]
        }
        #expect(laptop.view(id(1))?.passwordTexts == ["now", "between", "p1", "p0"])
        #expect(laptop.view(id(1))?.codeTexts == ["otp", "code"])
    }

    @Test("Only what was changed is written")
    func onlyChanged() {
        let (second, operations) = save(over: first()) {
            $0.formerPasswords.append(.init($0.password, replaced: Timestamp(milliseconds: 5000)))
            $0.password = SyncSecret("next")
        }
        #expect(operations.count == 1)
        #expect(laptop.view(id(1))?.passwordTexts == ["next", "now", "p1", "p0"])
        #expect(save(over: second) { $0.counters = [.init(of: SyncSecret("otp"), value: 5)] }.operations.count == 1)
        #expect(laptop.view(id(1))?.counter == 5)
    }

    @Test("Another user, and another site, are a move")
    func moved() {
        let (second, _) = save(over: first()) { $0.user = "bob" }
        #expect(laptop.view(id(1))?.user == "bob")
        save(over: second) { $0.sites = ["bank.example", "mail.example"] }
        #expect(laptop.view(id(1))?.sites == ["bank.example", "mail.example"])
        #expect(laptop.state.records(with: Login(site: "shop.example", user: "bob")).isEmpty)
    }

    @Test("A field that was removed is empty on every machine, and the others stay")
    func removedField() {
        save(over: first()) { $0.fields["label"] = nil }
        #expect(laptop.view(id(1))?.fields["label"]?.text == "")
        #expect(laptop.view(id(1))?.fields["notes"]?.text == "none")
    }

    @Test("A record that is saved as not deleted any more is restored with its history")
    func undeleted() {
        let (deleted, _) = save(over: first()) { $0.isDeleted = true }
        #expect(laptop.view(id(1))?.isAlive == false)
        save(over: deleted) { $0.isDeleted = false }
        #expect(laptop.view(id(1))?.isAlive == true)
        #expect(laptop.view(id(1))?.passwordTexts == ["now", "p1", "p0"])
        #expect(laptop.view(id(1))?.fields["label"]?.text == "Shop")
    }

    @Test("What is written to a deleted record does not restore it")
    func changedWhileDeleted() {
        let (deleted, _) = save(over: first()) { $0.isDeleted = true }
        save(over: deleted) { $0.password = SyncSecret("next") }
        #expect(laptop.view(id(1))?.isAlive == false)
        #expect(laptop.view(id(1))?.password?.secret.text == "next")
    }

    @Test("What left the history here leaves it everywhere; what this machine did not have in it stays")
    func leftHistory() {
        let record = first()
        laptop.clock = 1_700_000_000_000
        laptop.save(id(1), "of the laptop")
        desktop.merge(laptop)
        save(over: record) { $0.formerPasswords.removeFirst() }
        #expect(laptop.view(id(1))?.passwordTexts == ["of the laptop", "now", "p1"])
    }

    @Test("A former password and a former code that an import brings are history")
    func imported() {
        save(over: first()) {
            $0.formerPasswords.insert(.init(SyncSecret("older"), replaced: Timestamp(milliseconds: 2500)), at: 1)
            $0.formerCodes = [.init(SyncSecret("older otp"), replaced: Timestamp(milliseconds: 2500))]
        }
        #expect(laptop.view(id(1))?.password?.secret.text == "now")
        #expect(Set(laptop.view(id(1))?.history.map(\.secret.text) ?? []) == ["p0", "p1", "older"])
        #expect(laptop.view(id(1))?.codeTexts == ["otp", "older otp"])
    }

    /// What each of two ids shows without the other one.
    private func apart(_ number: UInt64) -> RecordView? {
        var state = SyncState()
        state.merge(laptop.state.operations.filter { $0.record == nil || $0.record == id(number) })
        return state.view(of: id(number))
    }

    @Test("A history, a counter and an imported code are written on every id of a group: each has them when it splits")
    func group() {
        // Each machine has drawn a nonce for the code.
        let record = self.record()
        desktop.change { $0.save(record, over: nil) }
        laptop.save(id(2), "other")
        laptop.change { $0.setCode(SyncSecret("otp"), of: id(2)) }
        laptop.change { $0.setPassword(SyncSecret("p0"), site: "shop.example", user: "ann", of: id(2)) }
        laptop.change { $0.setPassword(SyncSecret("last"), site: "shop.example", user: "ann", of: id(2)) }
        desktop.merge(laptop)
        let (second, _) = save(over: record) {
            $0.formerPasswords.removeFirst()
            $0.counters = [.init(of: SyncSecret("otp"), value: 9)]
        }
        for number: UInt64 in [1, 2] {
            #expect(apart(number)?.passwordTexts.contains("p0") == false)
            #expect(apart(number)?.counter == 9)
        }
        // Of the third id alone is the code that the import brings to all of them.
        let third = VaultCopy(3)
        third.save(id(3), "third")
        third.change { $0.setCode(SyncSecret("hotp"), of: id(3)) }
        third.change { _ = $0.advanceCounter(of: id(3)) }
        desktop.merge(third)
        save(over: second) { $0.formerCodes = [.init(SyncSecret("hotp"), replaced: Timestamp(milliseconds: 2500))] }
        desktop.change { $0.setCode(SyncSecret("hotp"), of: id(1)) }
        laptop.merge(desktop)
        for number: UInt64 in [1, 2, 3] { #expect(apart(number)?.counter == 1) }
    }
}
