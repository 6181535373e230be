// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import SecretMemory
import Support
import TestGround
import Testing

@Suite("admin.export.*: whole credentials in pages, each on record")
struct ExportMethodTests {
    private let daemon: TestService
    private let user: ServiceConnection

    init() throws {
        daemon = try TestService()
        user = try daemon.user()
    }

    private func commit(_ entries: [ImportedEntry], to user: ServiceConnection) throws {
        try user.answer(to: ImportBegin(proof: .test))
        try user.answer(to: ImportAdd(entries: entries))
        try user.answer(to: ImportCommit(conflicts: .skip, proof: .test))
    }

    private func exported(
        _ user: ServiceConnection, only: ServiceIdentifier? = nil, limit: Int = Limits.listLimit
    ) throws -> [ImportedEntry] {
        try user.answer(to: ExportBegin(only: only, proof: .test))
        var (entries, cursor): ([ImportedEntry], String?) = ([], nil)
        repeat {
            let read = try user.answer(to: ExportRead(page: PageRequest(limit: limit, cursor: cursor)))
            #expect(read.entries.count <= limit)
            entries += read.entries
            cursor = read.next
        } while cursor != nil
        return entries
    }

    private func login(_ site: String, user: String = "ann") -> ImportedEntry {
        ImportedEntry(user: user, password: SecretBytes(utf8: "p of \(site)"), sites: [site])
    }

    /// What an entry is, whatever its order among the others.
    private func lines(_ entries: [ImportedEntry]) -> [String] {
        entries.map { entry in
            var writer = JSONWriter()
            writer.object { entry.write(to: &$0) }
            return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }.sorted()
    }

    /// With everything that an entry can have.
    private var whole: ImportedEntry {
        ImportedEntry(
            title: "Mein Laden", user: "ann@example.com", password: SecretBytes(utf8: "p\"\\\u{1F511}"),
            notes: SecretBytes(utf8: "one\ntwo"),
            sites: ["https://shop.example", "http://old.example", "http://shop.example:8080"],
            code: SecretBytes(utf8: "otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ&digits=8"), folder: "Work/Web",
            tags: ["a", "b"], isFavourite: true,
            fields: [
                CustomFieldValue(name: "PIN", value: SecretBytes(utf8: "1234"), isSecret: true),
                CustomFieldValue(name: "site", value: SecretBytes(utf8: "android://x"), isSecret: false),
            ],
            history: [
                ImportedPassword(password: SecretBytes(utf8: "new"), replaced: 1_700_000_000_001),
                ImportedPassword(password: SecretBytes(utf8: "old"), replaced: 1_600_000_000_002),
            ],
            passkeys: [
                ImportedPasskey(
                    credentialID: "Y3JlZA", relyingParty: "shop.example", user: "ann", displayName: "Ann",
                    userHandle: "aGFuZGxl", key: SecretBytes(utf8: "a2V5"))
            ],
            times: ImportedTimes(created: 1_500_000_000_003, changed: 1_700_000_000_004, used: 1_710_000_000_005))
    }

    @Test("An entry with everything is exported as it was imported, to the last byte")
    func everything() throws {
        try commit([whole], to: user)
        #expect(lines(try exported(user)) == lines([whole]))
    }

    @Test("What is exported and imported elsewhere is exported there with the same bytes")
    func roundTrip() throws {
        let wifi = ImportedEntry(.note, title: "Wi-Fi", notes: SecretBytes(utf8: "the key"))
        let untitled = ImportedEntry(user: "solo", password: SecretBytes(utf8: "p"))
        let entries = [
            whole, wifi, untitled, login("http://192.168.1.1/"), login("shop.example", user: "jo"),
            login("HTTP://plain.example/x"),
            ImportedEntry(title: "No password", user: "x", sites: ["https://a.example"]),
            ImportedEntry(
                title: "b.example", user: "y", password: SecretBytes(utf8: "p"), sites: ["https://b.example"],
                code: SecretBytes(utf8: "otpauth://steam/x"), tags: ["favourite", "z"],
                history: [ImportedPassword(password: SecretBytes(utf8: "former"), replaced: nil)]),
        ]
        try commit(entries, to: user)
        // Saved by a browser at a page without https, and by a credential helper.
        let page = ServiceIdentifier(type: "origin", value: "http://only.example")
        try user.answer(to: CredentialSave("eve", "q", at: page, proof: .test))
        let first = try exported(user)
        #expect(first.count == entries.count + 1)
        let other = try TestService().user()
        try commit(first, to: other)
        let second = try exported(other)
        #expect(lines(second) == lines(first))
        #expect(lines(try exported(user)) == lines(first))
    }

    @Test("That a site matches exactly is exported, and is so again after an import elsewhere")
    func exactSites() throws {
        let sites = ["https://login.a.example", "http://b.example", "http://192.168.1.1", "https://c.example"]
        let login = ImportedEntry(
            title: "A", user: "ann", password: SecretBytes(utf8: "p"), sites: sites,
            exactSites: Array(sites.prefix(3)))
        try commit([login], to: user)
        let first = try exported(user)
        #expect(first.map(\.sites) == [sites] && first.map(\.exactSites) == [Array(sites.prefix(3))])
        let other = try TestService().user()
        try commit(first, to: other)
        func services(_ user: ServiceConnection) throws -> [String] {
            try user.answer(to: CredentialList(proof: .test)).credentials.flatMap(\.services)
                .map { "\($0.service.value) \($0.match ?? "site")" }
        }
        #expect(try services(other) == services(user))
        #expect(lines(try exported(other)) == lines(first))
    }

    @Test("What a helper saved for a URL is found by it after an import elsewhere, beside a website with that address")
    func urls() throws {
        let values = ["https://git.example", "https://index.docker.io/v1/", "sparse+https://crates.example/"]
        for (number, value) in values.enumerated() {
            try user.answer(to: CredentialSave("ann", "p\(number)", at: .url(value), proof: .test))
        }
        try user.answer(to: CredentialSave("ann", "site", at: ServiceIdentifier(domain: "git.example"), proof: .test))
        let two = ServiceIdentifier.url("https://two.example")
        let both = try user.answer(to: CredentialSave("bob", "both", at: two, proof: .test)).credential
        let services = [SavedService(two), SavedService(ServiceIdentifier(domain: "two.example"))]
        try user.answer(
            to: CredentialUpdate(credential: both, changes: CredentialChanges(services: services), proof: .test))
        let first = try exported(user)
        let other = try TestService().user()
        try commit(first, to: other)
        #expect(lines(try exported(other)) == lines(first))
        func password(_ user: String, _ service: ServiceIdentifier) throws -> String {
            try other.answer(to: CredentialGet(service: service, user: user, proof: .test)).password.text
        }
        for (number, value) in values.enumerated() { #expect(try password("ann", .url(value)) == "p\(number)") }
        #expect(try password("ann", ServiceIdentifier(domain: "git.example")) == "site")
        #expect(try password("bob", two) == "both")
        #expect(try password("bob", ServiceIdentifier(domain: "two.example")) == "both")
        // What no helper may name is a website's.
        let login = ImportedEntry(
            user: "eve", password: SecretBytes(utf8: "q"), sites: ["https://a:b@host.example"],
            urls: ["https://a:b@host.example"])
        try commit([login], to: other)
        #expect(try password("eve", ServiceIdentifier(domain: "host.example")) == "q")
    }

    @Test("Pages continue where the one before ended, and have each credential once; deleted ones are in none")
    func pages() throws {
        try commit((0..<23).map { login("https://s\($0).example") }, to: user)
        let listed = try user.answer(to: CredentialList(proof: .test)).credentials
        try user.answer(to: CredentialDelete(credential: listed[0].credential, proof: .test))
        for limit in [1, 7, 22, 500] {
            let found = try exported(user, limit: limit)
            #expect(found.count == 22 && Set(found.flatMap(\.sites)).count == 22)
        }
    }

    @Test("Only what is saved for a domain and the names below it is exported where one is named")
    func only() throws {
        let sites = [
            "https://shop.example", "https://www.shop.example", "http://api.shop.example:8080",
            "https://notshop.example", "https://shop.example.evil.example",
        ]
        try commit(sites.map { login($0) } + [ImportedEntry(.note, title: "shop.example")], to: user)
        let only = ServiceIdentifier(type: "domain", value: "shop.example")
        let found = try exported(user, only: only, limit: 2).flatMap(\.sites)
        #expect(found.sorted() == sites.prefix(3).sorted())
        #expect(try released() == 3)
    }

    private func released() throws -> Int {
        try user.answer(to: ReleaseList(page: PageRequest(limit: Limits.listLimit), proof: .test)).releases
            .count { $0.method == "admin.export.read" && $0.refused == nil }
    }

    @Test("Each exported credential is on record before the answer, and the journal has one line for a page")
    func recorded() throws {
        try commit((0..<5).map { login("https://s\($0).example") }, to: user)
        let ids = Set(try user.answer(to: CredentialList(proof: .test)).credentials.map(\.credential))
        _ = try exported(user, limit: 3)
        let releases = try user.answer(to: ReleaseList(proof: .test)).releases
            .filter { $0.method == "admin.export.read" }
        #expect(Set(releases.compactMap(\.object)) == ids && releases.count == 5)
        #expect(releases.allSatisfy { $0.refused == nil && $0.service != nil })
        #expect(daemon.journal.filter { $0.message.contains("Exported 3 saved credentials") }.count == 1)
        #expect(daemon.journal.contains { $0.message.contains("p of ") } == false)
    }

    @Test("Without proof nothing is begun or read; the proof is the secret itself, and a refusal is on record")
    func proof() throws {
        try commit([login("https://a.example")], to: user)
        #expect(try user.reasons(for: ExportBegin(proof: nil)) == ["proof-required"])
        #expect(try user.reasons(for: ExportBegin(proof: .wrong)) == ["proof-wrong"])
        #expect(try user.reasons(for: ExportBegin(proof: .prompt)) == ["proof-required"])
        #expect(try user.reasons(for: ExportBegin(proof: .terminal)) == ["proof-required"])
        #expect(try user.reasons(for: ExportRead()) == ["proof-required"])
        daemon.clock.advance(milliseconds: 1000)
        let refused = try user.answer(to: ReleaseList(proof: .test)).releases
            .filter { $0.method == "admin.export.read" }
        #expect(refused.map(\.refused) == ["proof-required"])
    }

    @Test("An export is its connection's alone; it ends with its last page, a lock, and a minute without a request")
    func ends() throws {
        try commit((0..<3).map { login("https://s\($0).example") }, to: user)
        let (other, app) = (try daemon.user(), try daemon.connect(as: "org.example.Shop"))
        func begin() throws -> ExportRead {
            try user.answer(to: ExportBegin(proof: .test))
            let next = try user.answer(to: ExportRead(page: PageRequest(limit: 1))).next
            return ExportRead(page: PageRequest(limit: 1, cursor: next))
        }
        let next = try begin()
        #expect(try other.reasons(for: ExportRead()) == ["proof-required"])
        #expect(try app.reasons(for: ExportRead()) == ["proof-required"])
        #expect(try user.answer(to: next).entries.count == 1)

        _ = try exported(user)
        #expect(try user.reasons(for: next) == ["proof-required"], "the last page was read")

        let second = try begin()
        try user.answer(to: VaultLock())
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try user.reasons(for: second) == ["proof-required"])

        let third = try begin()
        daemon.clock.advance(milliseconds: Int64(Limits.exportMilliseconds) - 1)
        #expect(try user.answer(to: third).entries.count == 1, "each page gives more time")
        daemon.clock.advance(milliseconds: Int64(Limits.exportMilliseconds) - 1)
        #expect(try user.answer(to: third).entries.count == 1)
        daemon.clock.advance(milliseconds: Int64(Limits.exportMilliseconds))
        #expect(try user.reasons(for: third) == ["proof-required"])
    }

    private func read(_ limit: Int, after cursor: String?) -> ExportRead {
        ExportRead(page: PageRequest(limit: limit, cursor: cursor))
    }

    @Test("The last page is read again, with the same entries; no page before it is, and none that was not reached")
    func goesOn() throws {
        try commit((0..<5).map { login("https://s\($0).example") }, to: user)
        try user.answer(to: ExportBegin(proof: .test))
        let ahead = try user.answer(to: CredentialList(proof: .test)).credentials[3].credential
        #expect(try user.reasons(for: read(1, after: ahead)) == ["parameter-invalid"])
        let first = try user.answer(to: read(2, after: nil))
        #expect(try lines(user.answer(to: read(2, after: nil)).entries) == lines(first.entries))
        #expect(try user.reasons(for: read(1, after: ahead)) == ["parameter-invalid"])
        let second = try user.answer(to: read(2, after: first.next))
        #expect(try lines(user.answer(to: read(2, after: first.next)).entries) == lines(second.entries))
        #expect(try user.reasons(for: read(2, after: nil)) == ["parameter-invalid"])
        #expect(try user.answer(to: read(2, after: second.next)).next == nil)
    }

    @Test("A page that is read again gives no more time")
    func readAgain() throws {
        try commit((0..<3).map { login("https://s\($0).example") }, to: user)
        try user.answer(to: ExportBegin(proof: .test))
        let next = try user.answer(to: read(1, after: nil)).next
        daemon.clock.advance(milliseconds: Int64(Limits.exportMilliseconds) - 1)
        #expect(try user.answer(to: read(1, after: nil)).next == next)
        daemon.clock.advance(milliseconds: 1)
        #expect(try user.reasons(for: read(1, after: nil)) == ["proof-required"])
        #expect(try user.reasons(for: read(1, after: next)) == ["proof-required"])
    }

    @Test("An export ends where other secrets open the vault", arguments: ["rekey", "change", "remove"])
    func otherSecrets(_ method: String) throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: .directory(directory.path + "/data"))
        let user = try daemon.user()
        try commit((0..<3).map { login("https://s\($0).example") }, to: user)
        try user.answer(to: SlotAdd(secret: .recoveryKey, proof: .test))
        try user.answer(to: ExportBegin(proof: .test))
        let next = try user.answer(to: read(1, after: nil)).next
        let key = SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes))
        let other = try daemon.user()
        switch method {
        case "rekey": try other.answer(to: VaultRekey(secrets: [.key(key)], proof: .test))
        case "change": try other.answer(to: SlotChange(slot: 1, secret: .key(key), proof: .test))
        default: try other.answer(to: SlotRemove(slot: 2, proof: .test))
        }
        #expect(try user.reasons(for: read(1, after: next)) == ["proof-required"])
    }
}
