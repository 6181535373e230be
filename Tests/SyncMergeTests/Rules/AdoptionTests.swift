// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

/// Records from before sync.
@Suite("Adopting a vault from before sync")
struct AdoptionTests {
    private let desktop = VaultCopy(1), laptop = VaultCopy(2)

    private func record(former: Int = 2) -> EarlierRecord {
        var record = EarlierRecord(
            id: id(1), created: Timestamp(milliseconds: 1000), changed: Timestamp(milliseconds: 900_000), user: "ann",
            sites: ["shop.example", "mail.example"], password: SyncSecret("now"))
        record.formerPasswords = (0..<former).map {
            .init(SyncSecret("p\($0)"), replaced: Timestamp(milliseconds: 2000 + Int64($0) * 1000))
        }
        record.fields = ["label": SyncSecret("Shop")]
        return record
    }

    @Test("All of it is shown, the history in its order")
    func shown() {
        var record = self.record()
        record.code = SyncSecret("otp")
        record.formerCodes = [.init(SyncSecret("old otp"), replaced: Timestamp(milliseconds: 5000))]
        desktop.change { $0.adopt(record) }
        #expect(desktop.view(id(1))?.passwordTexts == ["now", "p1", "p0"])
        #expect(desktop.view(id(1))?.codeTexts == ["otp", "old otp"])
        #expect(desktop.view(id(1))?.sites == ["mail.example", "shop.example"])
        #expect(desktop.view(id(1))?.fields["label"]?.text == "Shop")
        #expect(desktop.view(id(1))?.history.map(\.site) == ["shop.example", "shop.example"])
    }

    @Test("Two copies of one vault have equal states")
    func copies() {
        var record = self.record()
        record.code = SyncSecret("otp")
        desktop.change { $0.adopt(record) }
        laptop.change { $0.adopt(record) }
        #expect(desktop.state == laptop.state)
        laptop.change { _ = $0.advanceCounter(of: id(1)) }
        desktop.merge(laptop)
        #expect(desktop.view(id(1))?.counter == 1)
    }

    @Test("A copy that was changed before it was adopted has the newer values in use", arguments: [2, 10])
    func changedCopy(former: Int) {
        desktop.change { $0.adopt(self.record(former: former)) }
        // A full history may have lost older passwords: its first one is not as old as the record.
        #expect(desktop.view(id(1))?.history.last?.stamp.time.milliseconds == (former == 10 ? 1999 : 1000))
        var record = self.record(former: former)
        let now = Timestamp(milliseconds: 1_000_000)
        record.formerPasswords.append(.init(record.password, replaced: now))
        record.formerPasswords = record.formerPasswords.suffix(Credential.previousLimit)
        (record.password, record.changed) = (SyncSecret("newer"), now)
        record.fields["label"] = SyncSecret("Newer")
        laptop.change { $0.adopt(record) }
        exchange(desktop, laptop)
        #expect(desktop.state == laptop.state)
        #expect(desktop.view(id(1))?.passwordTexts.prefix(3) == ["newer", "now", "p\(former - 1)"])
        #expect(desktop.view(id(1))?.fields["label"]?.text == "Newer")
        let passwords = desktop.state.records[id(1)]?.elements(of: .password).map(\.value.text) ?? []
        // Only of a full history is the start of the oldest not certain.
        #expect(passwords.count == Set(passwords).count + (former == 10 ? 1 : 0))
    }

    @Test("Passwords that were replaced in one millisecond stay apart and in order")
    func oneMillisecond() {
        var record = self.record(former: 0)
        record.formerPasswords = ["a", "b", "c"].map { .init(SyncSecret($0), replaced: record.created) }
        desktop.change { $0.adopt(record) }
        #expect(desktop.view(id(1))?.passwordTexts == ["now", "c", "b", "a"])
        let marks = desktop.state.records[id(1)]?.elements.map(\.mark) ?? []
        #expect(Set(marks).count == marks.count)
    }

    @Test("A code that was removed stays removed, with its history")
    func removedCode() {
        var record = self.record()
        record.formerCodes = [.init(SyncSecret("otp"), replaced: Timestamp(milliseconds: 5000))]
        desktop.change { $0.adopt(record) }
        #expect(desktop.view(id(1))?.codeTexts == [nil, "otp"])
    }

    @Test("A deleted record is deleted in this machine's name, so that its purge waits for the others")
    func deleted() {
        var record = self.record()
        record.isDeleted = true
        desktop.change { $0.adopt(record) }
        #expect(!desktop.state.isAlive(id(1)))
        let origins = Set(desktop.state.records[id(1)]?.dead.values.joined().map(\.device) ?? [])
        #expect(origins == [desktop.device])
        #expect(!MergedFiles().mayPurge([id(1)], of: desktop.state, others: [laptop.device], deletedFor: 0))
    }

    @Test("Counters are taken over, each code's own")
    func counters() {
        var record = self.record()
        record.code = SyncSecret("otp")
        record.formerCodes = [.init(SyncSecret("old otp"), replaced: Timestamp(milliseconds: 5000))]
        record.counters = [.init(of: SyncSecret("otp"), value: 7), .init(of: SyncSecret("old otp"), value: 3)]
        desktop.change { $0.adopt(record) }
        #expect(desktop.view(id(1))?.counter == 7)
        desktop.change { $0.setCode(SyncSecret("old otp"), of: id(1)) }
        #expect(desktop.view(id(1))?.counter == 3)
    }

    @Test("Codes of two records have a counter each, though they are equal and of one time")
    func equalCodes() {
        for (number, user) in [(1, "ann"), (2, "bob")] as [(UInt64, String)] {
            var record = EarlierRecord(
                id: id(number), created: Timestamp(milliseconds: 1000), changed: Timestamp(milliseconds: 1000),
                user: user, sites: ["shop.example"], password: SyncSecret("now"))
            record.code = SyncSecret("otp")
            desktop.change { $0.adopt(record) }
        }
        desktop.change { _ = $0.advanceCounter(of: id(1)) }
        #expect([id(1), id(2)].map { desktop.view($0)?.counter } == [1, 0])
    }

    @Test("A field that is replaced takes no other field of its time with it")
    func fieldsOfOneTime() {
        var record = self.record()
        record.fields = ["label": SyncSecret("Shop"), "notes": SyncSecret("a"), "rules": SyncSecret("b")]
        desktop.change { $0.adopt(record) }
        desktop.setField("notes", "c", of: id(1))
        let fields = desktop.view(id(1))?.fields.mapValues(\.text)
        #expect(fields == ["label": "Shop", "notes": "c", "rules": "b"])
    }

    @Test("A copy whose user was changed later has that user in force")
    func changedUser() {
        desktop.change { $0.adopt(self.record()) }
        var record = self.record()
        (record.user, record.changed) = ("abe", Timestamp(milliseconds: 1_000_000))
        laptop.change { $0.adopt(record) }
        exchange(desktop, laptop)
        #expect(desktop.view(id(1))?.user == "abe")
    }
}
