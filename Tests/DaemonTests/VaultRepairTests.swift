// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import Support
import TestGround
import Testing

@testable import CredentialStorage

/// What went wrong with a vault is mended by doing what fixes and commands say, word for word, and all data is whole then.
///
/// attacks.md, the vault, 4, 5 and 7
@Suite("A vault that is older or damaged, and what is said mends it", .serialized, .blocking)
struct VaultMendingTests {
    private let stage: MendingStage
    private static let users = (0..<4).map { "user-\($0)" }
    /// What the person adds where it is not about the passphrase, which takes its second.
    private static let byKey = " --key-file vault.key"
    private static let unlock = "autofillctl vault unlock" + byKey
    private var file: String { stage.data + "/vault.sqlite" }
    private static var key: [String: Any] { ["key": ["base64": TestFiles.key.base64EncodedString()]] }

    init() throws {
        stage = try MendingStage(WrongSetUp(description: "A vault with credentials", reasons: [], isLocked: true))
        try stage.run(Self.unlock)
        for user in Self.users { try save(user) }
    }

    // MARK: - The person

    private func ask(_ method: String, _ parameters: [String: Any]) throws -> TestAnswer {
        let person = try SocketConnection(to: stage.daemon.socket)
        try person.hello("org.autofilld.autofillctl")
        return try person.call(method, ["proof": Self.key].merging(parameters) { $1 })
    }

    private func save(_ user: String) throws {
        let answer = try ask(
            "credential.save", ["service": Examples.shop, "user": user, "password": "password of \(user)"])
        try #require(answer.error == nil, "\(answer)")
    }

    private func password(_ user: String) throws -> String? {
        try ask("credential.get", ["service": Examples.shop, "user": user]).text("password")
    }

    /// All that was saved is there, but for one, and more can be saved.
    private func expectWhole(_ users: [String] = users, but lost: String? = nil) throws {
        for user in users where user != lost { #expect(try password(user) == "password of \(user)") }
        if let lost { #expect(try password(lost) == nil) }
        try save("later")
        #expect(try password("later") == "password of later")
        #expect(try ask("admin.vault.check", [:]).result?["sound"] as? Bool == true)
    }

    /// The commands of a text, as they stand there.
    private func commands(_ text: String) -> [String] {
        // A terminal wraps between words.
        let text = text.replacing(/\r?\n +/, with: " ").replacing("\r", with: "")
        return text.matches(of: /autofillctl [a-z]+(?: [-a-zA-Z0-9.\/]+)*/).map {
            String($0.output.split(separator: ". ")[0])
        }
    }

    private func fix(of answer: TestAnswer, _ reason: String) throws -> String {
        try #require(answer.reasons.first == reason, "\(answer)")
        return try #require(answer.fixes.first)
    }

    // MARK: - What happens to the file

    /// Stops the daemon, does something to the vault's files, and starts it again.
    private func meanwhile(_ body: () throws -> Void) throws {
        #expect(stage.daemon.terminate() == 0)
        try body()
        try stage.daemon.start()
    }

    private func copy(_ source: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    private func damage(_ path: String, _ sql: String) throws {
        try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE).run(sql)
    }

    private static let lastRecord =
        "id = (SELECT id FROM record WHERE substr(id, 1, 1) = x'01' ORDER BY number DESC LIMIT 1)"

    /// Has an older vault put in the place of the newer one, which is kept, and opens it.
    private func putOlderInPlace() throws -> TestAnswer {
        try meanwhile { try copy(file, to: stage.work + "/older.sqlite") }
        try stage.run(Self.unlock)
        try save("bob")
        try meanwhile {
            try copy(file, to: stage.work + "/newer.sqlite")
            try copy(stage.work + "/older.sqlite", to: file)
        }
        try stage.run(Self.unlock)
        #expect(try password("bob") == nil && password(Self.users[0]) == nil)
        return try ask("credential.save", ["service": Examples.shop, "user": "new", "password": "x"])
    }

    // MARK: - Tests

    @Test("vault-older: the newer file is put back as the fix says")
    func newerPutBack() throws {
        let fix = try fix(of: putOlderInPlace(), "vault-older")
        try #require(fix.hasPrefix("Lock it, autofillctl vault lock, and put the newer vault.sqlite back; or "))
        try stage.run(commands(fix)[0])
        try copy(stage.work + "/newer.sqlite", to: file)
        try stage.run(Self.unlock)
        try expectWhole(Self.users + ["bob"])
    }

    @Test("vault-older: it is looked at, and taken as it is, by the commands of the fix")
    func olderAccepted() throws {
        let told = commands(try fix(of: putOlderInPlace(), "vault-older"))
        #expect(told.count == 3)
        let shown = try stage.run(told[1], mayFail: true)
        #expect(commands(shown).contains(told[2]), "\(shown)")
        try stage.run(told[2])
        try expectWhole()
        #expect(try password("bob") == nil)
    }

    @Test(
        "A damaged record: the command that unlocking and the fix name mends the vault, and keeps the record in quarantine"
    )
    func damagedRecord() throws {
        try meanwhile {
            try damage(file, "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE \(Self.lastRecord)")
        }
        let lost = try #require(Self.users.last)
        let unlocked = try stage.run(Self.unlock)
        let answer = try ask("credential.get", ["service": Examples.shop, "user": lost])
        let told = commands(try fix(of: answer, "record-damaged"))
        #expect(told.first == "autofillctl vault check --repair" && commands(unlocked) == [told[0]], "\(unlocked)")
        let shown = try stage.run(told[0])
        #expect(shown.contains("The vault is intact") && shown.contains("1 row was put into quarantine"))
        #expect(try stage.run("autofillctl vault quarantine").contains("does not open"))
        try expectWhole(but: lost)
    }

    @Test("A vault whose header is gone: the fix's command gives all back")
    func headerGone() throws {
        try meanwhile {
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 100))
            try handle.close()
        }
        let answer = try ask("credential.get", ["service": Examples.shop, "user": "ann"])
        let told = commands(try fix(of: answer, "vault-unreadable"))
        #expect(told == ["autofillctl vault salvage"])
        try stage.run(told[0])
        try expectWhole()
    }

    @Test("A damaged backup: it is salvaged into a file, that is restored, and the quarantine is seen, as each says")
    func damagedBackup() throws {
        try stage.run("autofillctl vault backup b.sqlite" + Self.byKey)
        try damage(
            stage.work + "/b.sqlite", "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE \(Self.lastRecord)")
        let refused = try stage.run("autofillctl vault restore b.sqlite" + Self.byKey, mayFail: true)
        #expect(refused.contains("status=1."))
        let told = try #require(commands(refused).first)
        #expect(told == "autofillctl vault salvage FILE", "\(refused)")
        let salvage = told.replacing("FILE", with: "b.sqlite") + " --into had-back.sqlite" + Self.byKey
        let shown = try stage.run(salvage)
        let next = commands(shown)
        try #require(next.count == 2, "\(shown)")
        #expect(next[0] == "autofillctl vault quarantine" && next[1].hasPrefix("autofillctl vault restore "))
        try save("not-in-the-backup")
        try stage.run(next[1])
        #expect(try stage.run(next[0]).contains("does not open"))
        #expect(try password("not-in-the-backup") == nil)
        try expectWhole(but: Self.users.last)
    }

    @Test("A record in quarantine that opens is in use again after the command that the help names")
    func takenBack() throws {
        try stage.run("autofillctl vault backup b.sqlite" + Self.byKey)
        try save("extra")
        try stage.run("autofillctl vault restore b.sqlite" + Self.byKey)
        #expect(try password("extra") == nil)
        // The record is in the vault that was put aside: whoever writes to the file puts it back behind the daemon's back.
        try meanwhile {
            try damage(
                file,
                """
                ATTACH '\(stage.data)/replaced/vault-1.sqlite' AS old;
                INSERT INTO record (id, lookup, version, sealed) SELECT id, lookup, version, sealed FROM old.record
                  WHERE substr(id, 1, 1) = x'01' AND id NOT IN (SELECT id FROM record);
                """)
        }
        let unlocked = try stage.run(Self.unlock)
        try stage.run(try #require(commands(unlocked).first))
        #expect(try password("extra") == nil)
        let listed = try stage.run("autofillctl vault quarantine")
        let row = try #require(listed.firstMatch(of: /(\d+) +record +unexpected +extra at shop/), "\(listed)")
        let help = try stage.run("autofillctl vault quarantine --help")
        let told = try #require(commands(help).first { $0.contains("--take-back") })
        try stage.run(told.replacing(/\d+$/, with: String(row.1)))
        try expectWhole(Self.users + ["extra"])
    }
}
