// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Settings
import Support
import TestGround
import Testing

@Suite("admin.import.*: entries of another program, staged and committed at once")
struct ImportMethodTests {
    private let directory: TemporaryDirectory
    private let daemon: TestService
    private let user: ServiceConnection

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try TestService(location: .directory(directory.path + "/data"))
        user = try daemon.user()
    }

    private func entry(
        _ site: String, user: String = "ann", password: String = "p", line: Int? = nil, changed: Int? = nil
    ) -> ImportedEntry {
        ImportedEntry(
            line: line, user: user, password: SecretBytes(utf8: password), sites: [site],
            times: ImportedTimes(changed: changed))
    }

    @discardableResult
    private func begin(_ entries: [ImportedEntry], _ connection: ServiceConnection? = nil) throws -> Int {
        let connection = connection ?? user
        try connection.answer(to: ImportBegin(proof: .test))
        return try connection.answer(to: ImportAdd(entries: entries)).count
    }

    private func saved(user name: String? = nil) throws -> [AutofillProtocol.CredentialSummary] {
        try user.answer(to: CredentialList(proof: .test)).credentials.filter { name == nil || $0.user == name }
    }

    @Test("Others who wait for the vault have it between the steps of a review")
    func between() throws {
        try user.answer(to: ImportBegin(proof: .test))
        for part in 0..<3 {
            try user.answer(to: ImportAdd(entries: (0..<500).map { entry("https://s\(part)-\($0).example") }))
        }
        let (review, work) = try daemon.begin(ImportReview(), user)
        let saved = try daemon.user().send(CredentialSave("ann", "saved", at: .shop, proof: .test))
        #expect(saved.waits)
        let next = try daemon.step(try #require(work))
        #expect(!saved.waits && review.waits)
        try daemon.finish(try #require(next))
        #expect(try review.answer().new == 1500 && saved.answer().changed)
    }

    @Test("Where no other backups are made, the backups of an import go with that of another day")
    func backupsOfImports() throws {
        var settings = DaemonSettings()
        settings.automaticBackups = 0
        let daemon = try TestService(location: .directory(directory.path + "/none"), settings: settings)
        let user = try daemon.user()
        func commit(_ site: String) throws -> String {
            try begin([entry(site)], user)
            return try #require(try user.answer(to: ImportCommit(conflicts: .newer, proof: .test)).backup)
        }
        let (first, second) = (try commit("https://one.example"), try commit("https://two.example"))
        #expect([first, second].allSatisfy { FileManager.default.fileExists(atPath: $0) })
        daemon.clock.advance(milliseconds: 2 * 86_400_000)
        let third = try commit("https://three.example")
        #expect([first, second, third].filter { FileManager.default.fileExists(atPath: $0) } == [third])
    }

    @Test("An old backup that cannot be removed after an import is reported to the journal")
    func failingRemoval() throws {
        var settings = DaemonSettings()
        settings.automaticBackups = 0
        let daemon = try TestService(location: .directory(directory.path + "/stuck"), settings: settings)
        // A folder that is not empty, by the name of a backup of days ago.
        let backup = directory.path + "/stuck/backups/vault-1.sqlite"
        try FileManager.default.createDirectory(atPath: backup + "/within", withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_795_253_400 - 5 * 86_400)], ofItemAtPath: backup)
        let user = try daemon.user()
        try begin([entry("https://one.example")], user)
        #expect(try user.answer(to: ImportCommit(conflicts: .newer, proof: .test)).added == 1)
        let fault = "[AutoFill] Fault: old backups could not be removed: "
        #expect(daemon.journal.count { $0.message.hasPrefix(fault) } == 1)
    }

    @Test("Entries are reviewed, committed after a backup, announced once, and reverted")
    func whole() throws {
        try user.answer(to: CredentialSave("ann", "saved", at: .shop, proof: .test))
        let site = "https://\(ServiceIdentifier.shop.value)/login?a=b"
        #expect(try begin([entry(site, password: "file", line: 2), entry("https://new.example", line: 3)]) == 2)
        let reviewed = try user.answer(to: ImportReview())
        #expect(reviewed.new == 1 && reviewed.conflicts == 1 && reviewed.identical == 0 && reviewed.next == nil)
        #expect(reviewed.findings.map(\.line) == [2] && reviewed.findings[0].service == .shop)
        #expect(reviewed.findings[0].outcome == "conflict" && reviewed.findings[0].changed == nil)
        #expect(try saved().count == 1)

        let listener = try daemon.user()
        try listener.answer(to: EventSubscribe())
        let answer = try user.answer(to: ImportCommit(conflicts: .newer, proof: .test))
        #expect(answer.added == 1 && answer.changed == 1)
        let backup = try #require(answer.backup)
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try user.answer(to: BackupList(proof: .test)).backups.map(\.path) == [backup])
        #expect(try listener.events().map(\.content.kind) == [.credentialsChanged])
        #expect(daemon.journal.filter { $0.message.contains("were added by an import") }.count == 1)
        #expect(try saved().count == 2)
        let got = try user.answer(to: CredentialGet(service: .shop, user: "ann", proof: .test))
        #expect(got.password.text == "saved")

        let undone = try user.answer(to: ImportUndo(proof: .test))
        #expect(undone.changed && undone.removed == 1 && undone.restored == 1 && undone.kept == 0)
        #expect(try saved().count == 1)
        #expect(try user.answer(to: ImportUndo(proof: .test)).changed == false)
    }

    @Test("Without proof nothing begins, is committed or reverted; without a begin nothing is added")
    func proof() throws {
        #expect(try user.reasons(for: ImportBegin(proof: nil)) == ["proof-required"])
        #expect(try user.reasons(for: ImportAdd(entries: [entry("https://a.example")])) == ["parameter-invalid"])
        #expect(try user.reasons(for: ImportReview()) == ["parameter-invalid"])
        try begin([entry("https://a.example")])
        #expect(try user.reasons(for: ImportCommit(conflicts: .skip, proof: nil)) == ["proof-required"])
        #expect(try user.reasons(for: ImportCommit(conflicts: .skip, proof: .wrong)) == ["proof-wrong"])
        #expect(try user.reasons(for: ImportUndo(proof: nil)) == ["proof-required"])
        daemon.clock.advance(milliseconds: 1000)
        #expect(try saved().isEmpty)
    }

    @Test("Another connection sees nothing of an import, and its own begin discards it")
    func others() throws {
        let other = try daemon.user()
        try begin([entry("https://a.example")])
        #expect(try other.reasons(for: ImportReview()) == ["parameter-invalid"])
        #expect(try other.reasons(for: ImportCommit(conflicts: .skip, proof: .test)) == ["parameter-invalid"])
        try begin([entry("https://b.example")], other)
        #expect(try user.reasons(for: ImportReview()) == ["parameter-invalid"])
        #expect(try other.answer(to: ImportReview()).new == 1)
    }

    @Test("A lock discards an import, and so does its commit")
    func discarded() throws {
        try begin([entry("https://a.example")])
        try user.answer(to: VaultLock())
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try user.reasons(for: ImportReview()) == ["parameter-invalid"])
        try begin([entry("https://a.example")])
        #expect(try user.answer(to: ImportCommit(conflicts: .skip, proof: .test)).added == 1)
        #expect(try user.reasons(for: ImportCommit(conflicts: .skip, proof: .test)) == ["parameter-invalid"])
    }

    @Test("An import that was discarded while a step of it waited for the vault is neither compared nor saved")
    func discardedWhileWaiting() throws {
        func expectRefused<Call: MethodCall>(_ call: Call) throws {
            try begin([entry("https://a.example")])
            let (check, first) = try daemon.begin(VaultCheck(proof: .test), daemon.user())
            // Of the frozen vault: what comes behind it is judged, and waits with its first step.
            let held = try #require(first)
            let work = try #require(try daemon.step(held))
            let sent = try user.send(call)
            #expect(sent.waits)
            let key = try TestFiles.keyFile()
            try daemon.follow(.locked, keyFile: key)
            try daemon.follow(.unlocked, keyFile: key)
            try daemon.finish(work)
            #expect(try check.reasons() == ["cancelled"])
            #expect(try sent.reasons() == ["parameter-invalid"])
            #expect(try user.answer(to: Status()).vault == "unlocked")
        }
        try expectRefused(ImportReview())
        try expectRefused(ImportCommit(conflicts: .skip, proof: .test))
        #expect(try saved().isEmpty)
        #expect(try user.answer(to: BackupList(proof: .test)).backups.isEmpty)
    }

    @Test(
        "An address of a file is the service that a browser would save under",
        arguments: [
            ("https://www.shop.example/login?x#y", ["domain www.shop.example"]),
            ("shop.example", ["domain shop.example"]),
            ("http://shop.example/", ["domain shop.example", "origin http://shop.example"]),
            ("https://ann@shop.example:8443/a", ["domain shop.example"]),
            ("http://192.168.1.1/", ["origin http://192.168.1.1"]), ("HTTPS://SHOP.example", ["domain shop.example"]),
        ])
    func services(_ address: String, _ services: [String]) throws {
        try begin([entry(address)])
        try user.answer(to: ImportCommit(conflicts: .skip, proof: .test))
        let found = try #require(try saved().first).services.map { "\($0.service.type) \($0.service.value)" }
        #expect(found == services)
    }

    @Test("A site that is filled at its own host alone matches exactly, unless the file has it without that too")
    func exactSites() throws {
        let sites = ["https://login.a.example/x", "http://b.example", "https://c.example/1", "https://c.example/2"]
        let login = ImportedEntry(
            user: "ann", password: SecretBytes(utf8: "p"), sites: sites, exactSites: Array(sites.prefix(3)))
        try begin([login])
        try user.answer(to: ImportCommit(conflicts: .skip, proof: .test))
        let found = try #require(try saved().first).services.map { "\($0.service.value) \($0.match ?? "site")" }
        #expect(found == ["login.a.example exact", "b.example exact", "http://b.example exact", "c.example site"])
    }

    @Test("What is no web site, an entry without a password, and an unknown code are kept, and reported")
    func kept() throws {
        let note = ImportedEntry(.note, line: 1, title: "Wi-Fi", notes: SecretBytes(utf8: "the key"))
        let login = ImportedEntry(
            line: 2, title: "App", user: "ann", password: SecretBytes(utf8: "p"),
            sites: ["android://hash@org.example.App/"], code: SecretBytes(utf8: "otpauth://steam/x"),
            tags: ["t"], isFavourite: true)
        try begin([note, login])
        let reviewed = try user.answer(to: ImportReview())
        #expect(reviewed.new == 2)
        let findings = reviewed.findings.map { "\($0.entry) \($0.component ?? "") \($0.outcome)" }
        #expect(findings == ["2 site keptAsField", "2 code keptAsField"])
        try user.answer(to: ImportCommit(conflicts: .skip, proof: .test))
        let found = try saved()
        #expect(Set(found.map { $0.services[0].service.value }) == ["Wi-Fi", "App"])
        let app = try #require(found.first { $0.user == "ann" })
        #expect(app.tags == ["t", "favourite"])
        let details = try user.answer(to: CredentialGet(.id(app.credential), proof: .test))
        let fields = (details.fields ?? []).map { "\($0.name) \($0.value.text)" }
        #expect(fields == ["site android://hash@org.example.App/", "one-time code otpauth://steam/x"])
        let wifi = try #require(found.first { $0.user.isEmpty })
        #expect(try user.answer(to: CredentialGet(.id(wifi.credential), proof: .test)).notes?.text == "the key")
        try begin([note, login])
        #expect(try user.answer(to: ImportReview()).identical == 2)
    }
}
