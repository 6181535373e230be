// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import Support
import TestGround
import Testing

@testable import VaultFormat

/// A vault is repaired by following the fixes and the commands' output to the letter, and all its data is intact afterwards.
///
/// attacks.md, the vault, 4, 5 and 7
@Suite("An older or damaged vault, repaired by following the fixes", .serialized, .blocking)
struct VaultRepairTests {
    private let stage: RepairStage
    private static let users = (0..<4).map { "user-\($0)" }
    /// Proves with the key file where the test is not about the passphrase, whose derivation takes a second.
    private static let byKey = " --key-file vault.key"
    private static let unlock = "autofillctl vault unlock" + byKey
    private var file: String { stage.data + "/vault.sqlite" }

    init() throws {
        stage = try RepairStage(WrongSetUp(description: "A vault with credentials", reasons: [], isLocked: true))
        try stage.run(Self.unlock)
        for user in Self.users { try save(user) }
    }

    // MARK: - The user

    private func ask(_ method: String, _ parameters: [String: Any]) throws -> TestAnswer {
        let user = try SocketConnection(to: stage.daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        return try user.call(method, ["proof": Examples.proof].merging(parameters) { $1 })
    }

    private func save(_ user: String) throws {
        let answer = try ask(
            "credential.save", ["service": Examples.shop, "user": user, "password": "password of \(user)"])
        try #require(answer.error == nil, "\(answer)")
    }

    private func password(_ user: String) throws -> String? {
        try ask("credential.get", ["service": Examples.shop, "user": user]).text("password")
    }

    /// Expects that everything saved is there, except `lost`, and that more can be saved.
    private func expectWhole(_ users: [String] = users, but lost: String? = nil) throws {
        for user in users where user != lost { #expect(try password(user) == "password of \(user)") }
        if let lost { #expect(try password(lost) == nil) }
        try save("later")
        #expect(try password("later") == "password of later")
        #expect(try ask("admin.vault.check", [:]).result?["intact"] as? Bool == true)
    }

    /// The commands that a text contains.
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

    /// Replaces the vault's file by an older one, keeps the newer one beside it, and unlocks.
    private func replaceByOlder() throws -> TestAnswer {
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

    @Test("vault-older: the newer file is put back as the fix instructs")
    func newerPutBack() throws {
        let fix = try fix(of: replaceByOlder(), "vault-older")
        try #require(fix.hasPrefix("Lock it, autofillctl vault lock, and put the newer vault.sqlite back; or "))
        try stage.run(commands(fix)[0])
        try copy(stage.work + "/newer.sqlite", to: file)
        try stage.run(Self.unlock)
        try expectWhole(Self.users + ["bob"])
    }

    @Test("vault-older: it is inspected, and accepted as it is, by the commands of the fix")
    func olderAccepted() throws {
        let named = commands(try fix(of: replaceByOlder(), "vault-older"))
        #expect(named.count == 3)
        let shown = try stage.run(named[1], mayFail: true)
        #expect(commands(shown).contains(named[2]), "\(shown)")
        try stage.run(named[2])
        try expectWhole()
        #expect(try password("bob") == nil)
    }

    @Test(
        "A damaged record: the command that unlocking and the fix name repairs the vault, and keeps the record in quarantine"
    )
    func damagedRecord() throws {
        try meanwhile {
            try damage(file, "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE \(Self.lastRecord)")
        }
        let lost = try #require(Self.users.last)
        let unlocked = try stage.run(Self.unlock)
        let answer = try ask("credential.get", ["service": Examples.shop, "user": lost])
        let named = commands(try fix(of: answer, "record-damaged"))
        #expect(named.first == "autofillctl vault check --repair" && commands(unlocked) == [named[0]], "\(unlocked)")
        let shown = try stage.run(named[0])
        #expect(shown.contains("The vault is intact") && shown.contains("1 row was put into quarantine"))
        #expect(try stage.run("autofillctl vault quarantine").contains("does not open"))
        try expectWhole(but: lost)
    }

    @Test("A vault whose header is gone: the fix's command recovers everything")
    func headerGone() throws {
        try meanwhile {
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 100))
            try handle.close()
        }
        let answer = try ask("credential.get", ["service": Examples.shop, "user": "ann"])
        let named = commands(try fix(of: answer, "vault-unreadable"))
        #expect(named == ["autofillctl vault salvage"])
        try stage.run(named[0])
        try expectWhole()
    }

    @Test("A damaged backup is salvaged into a file, which is restored, by following the commands' output")
    func damagedBackup() throws {
        try stage.run("autofillctl vault backup b.sqlite" + Self.byKey)
        try damage(
            stage.work + "/b.sqlite", "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE \(Self.lastRecord)")
        let refused = try stage.run("autofillctl vault restore b.sqlite" + Self.byKey, mayFail: true)
        #expect(refused.contains("status=1."))
        let named = try #require(commands(refused).first)
        #expect(named == "autofillctl vault salvage FILE", "\(refused)")
        let salvage = named.replacing("FILE", with: "b.sqlite") + " --into had-back.sqlite" + Self.byKey
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
    func restoredFromQuarantine() throws {
        try stage.run("autofillctl vault backup b.sqlite" + Self.byKey)
        try save("extra")
        try stage.run("autofillctl vault restore b.sqlite" + Self.byKey)
        #expect(try password("extra") == nil)
        // The record is in the vault that was set aside. It is inserted into the file while the daemon does not run.
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
        let named = try #require(commands(help).first { $0.contains("--restore") })
        try stage.run(named.replacing(/\d+$/, with: String(row.1)))
        try expectWhole(Self.users + ["extra"])
    }
}
