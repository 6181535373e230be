// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Support
import TestGround
import Testing

@Suite("While the vault is lent for work")
struct LentVaultTests {
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection

    init() throws {
        daemon = try TestService()
        worker = daemon.connect()
        try worker.hello("org.autofilld.autofillctl")
        app = daemon.connect()
        try app.hello()
    }

    private static let check = #"""
        {"jsonrpc":"2.0","id":7,"method":"admin.vault.check","params":{"proof":{"key":{"base64":"\#(TestFiles.key.base64EncodedString())"}}}}
        """#

    static let cancel = #"{"jsonrpc":"2.0","method":"request.cancel","params":{"id":7}}"#

    static let save = #"""
        {"jsonrpc":"2.0","id":8,"method":"credential.save","params":{"service":{"type":"domain","value":"shop.example.com"},"user":"ann","password":"secret"}}
        """#

    @Test("What needs the vault waits until it is back, and is then done; all else goes on")
    func waiting() throws {
        let work = try #require(try daemon.begin(Self.check, worker))
        #expect(try app.exchange(Self.save) == [])
        let status = try app.call("status")
        #expect(status.text("vault") == "unlocked")
        #expect((status.result?["work"] as? [String: Any])?["method"] as? String == "admin.vault.check")
        let done = try TestAnswer(try #require(try daemon.finish(work, worker).first))
        #expect(done.result?["sound"] as? Bool == true)
        let saved = try TestAnswer(try #require(app.received().first))
        #expect(saved.result?["changed"] as? Bool == true)
        #expect(try app.call("status").result?["work"] == nil)
    }

    @Test("A lock stops the work, which changes nothing, and is answered when the keys are gone")
    func lock() throws {
        _ = try TestAnswer(try #require(try app.exchange(Self.save).first))
        let work = try #require(try daemon.begin(Self.check, worker))
        #expect(try app.exchange(#"{"jsonrpc":"2.0","id":9,"method":"admin.vault.lock"}"#) == [])
        let stopped = try TestAnswer(try #require(try daemon.finish(work, worker).first))
        #expect(stopped.reasons == ["cancelled"])
        let locked = try TestAnswer(try #require(app.received().first))
        #expect(locked.result?["changed"] as? Bool == true)
        #expect(try app.call("status").text("vault") == "locked")
    }

    @Test("The vault comes back also when the connection that asked is gone, or took its request back: the work stops")
    func gone() throws {
        let first = try #require(try daemon.begin(Self.check, worker))
        #expect(try worker.exchange(Self.cancel) == [])
        let stopped = try TestAnswer(try #require(try daemon.finish(first, worker).first))
        #expect(stopped.reasons == ["cancelled"])
        let second = try #require(try daemon.begin(Self.check, worker))
        #expect(try app.exchange(Self.save) == [])
        try worker.disconnect()
        #expect(try daemon.finish(second, worker) == [])
        #expect(try TestAnswer(try #require(app.received().first)).error == nil)
    }
}

@Suite("While a vault on disk is looked at")
struct FrozenVaultTests {
    private let directory: TemporaryDirectory
    private var folder: String { directory.path }
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/backup.sqlite"
        daemon = try TestService(location: .directory(directory.path + "/data"))
        worker = daemon.connect()
        try worker.hello("org.autofilld.autofillctl")
        app = daemon.connect()
        try app.hello()
    }

    private func begin(_ method: String, _ parameters: [String: Any] = [:]) throws -> HeldWork {
        let request: [String: Any] = [
            "jsonrpc": "2.0", "id": 7, "method": method,
            "params": parameters.merging(["proof": Examples.proof]) { $1 },
        ]
        let line = String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
        let first = try #require(try daemon.begin(line, worker))
        // Before a look the log is written back.
        return method == "admin.vault.rekey" ? first : try #require(try daemon.step(first))
    }

    private func finish(_ work: HeldWork) throws -> TestAnswer {
        try TestAnswer(try #require(try daemon.finish(work, worker).first))
    }

    private func save(_ user: String) throws {
        let saved = try app.call(
            "credential.save", ["service": Examples.shop, "user": user, "password": "password of \(user)"])
        #expect(saved.result?["changed"] as? Bool == true)
    }

    private func password(_ user: String) throws -> String? {
        try worker.call("credential.get", ["service": Examples.shop, "user": user, "proof": Examples.proof])
            .text("password")
    }

    @Test("Saves and gets are answered while a backup or a check is under way; the backup is as when it began")
    func served() throws {
        try save("before")
        let backup = try begin("admin.vault.backup", ["path": path])
        for number in 0..<20 { try save("during-\(number)") }
        #expect(try password("before") == "password of before")
        #expect(try password("during-19") == "password of during-19")
        #expect(
            (try app.call("status").result?["work"] as? [String: Any])?["method"] as? String == "admin.vault.backup")
        #expect(try finish(backup).result?["records"] as? Int == 1)
        let check = try begin("admin.vault.check")
        try save("later")
        let checked = try finish(check)
        #expect(checked.result?["sound"] as? Bool == true)
        // And the note of the backup.
        #expect(checked.result?["records"] as? Int == 22)
        #expect(try app.call("status").result?["work"] == nil)
        let restored = try worker.call(
            "admin.vault.restore", ["path": path, "secret": Examples.proof, "proof": Examples.proof])
        #expect(restored.result?["records"] as? Int == 1)
        #expect(try password("before") == "password of before")
        #expect(try password("later") == nil)
    }

    @Test("A backup that is taken back, or whose vault is locked, leaves no file")
    func cancelled() throws {
        let cancelled = try begin("admin.vault.backup", ["path": path])
        #expect(try worker.exchange(LentVaultTests.cancel) == [])
        #expect(try finish(cancelled).reasons == ["cancelled"])
        let locked = try begin("admin.vault.backup", ["path": path])
        #expect(try app.exchange(#"{"jsonrpc":"2.0","id":9,"method":"admin.vault.lock"}"#) == [])
        // What comes behind the lock waits for it.
        #expect(try app.exchange(LentVaultTests.save) == [])
        #expect(try finish(locked).reasons == ["cancelled"])
        let answers = try app.received().map { try TestAnswer($0) }
        #expect(answers.first?.result?["changed"] as? Bool == true)
        #expect(answers.last?.reasons == ["vault-locked"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["data"])
    }

    @Test("What is given out in the very turn in which such work is told to stop is on record before the answer leaves")
    func recordedWhileStopping() throws {
        try save("ann")
        let backup = try begin("admin.vault.backup", ["path": path])
        let record = URL(filePath: folder + "/data/vault.releases")
        let before = try Data(contentsOf: record)
        let get =
            #"{"jsonrpc":"2.0","id":9,"method":"credential.get","params":{"service":{"type":"domain","value":"shop.example.com"}}}"#
        let isUnsynced = try daemon.onEngine { [client = app.client] engine in
            Array(get.utf8).withUnsafeBytes { engine.receive($0, from: client) }
            engine.beginStopping()
            return engine.hasUnsyncedReleases
        }
        #expect(isUnsynced)
        #expect(try app.answers().map { $0.text("password") } == ["password of ann"])
        #expect(try Data(contentsOf: record) != before)
        #expect(try finish(backup).reasons == ["cancelled"])
    }

    @Test("A rekey that is taken back is undone: the former key opens, the new one does not, nothing is lost")
    func rekey() throws {
        try save("ann")
        let key = ["base64": Data(repeating: 8, count: 32).base64EncodedString()]
        let slots = try begin("admin.vault.rekey", ["key": key])
        let work = try #require(try daemon.step(slots))
        // It has the vault for itself.
        #expect(try app.exchange(LentVaultTests.save) == [])
        #expect(try worker.exchange(LentVaultTests.cancel) == [])
        #expect(try finish(work).reasons == ["cancelled"])
        #expect(try TestAnswer(try #require(app.received().first)).error == nil)
        #expect(try password("ann") == "secret")
        #expect(try worker.call("admin.slot.list", ["proof": ["key": key]]).reasons == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        let checked = try worker.call("admin.vault.check", ["proof": Examples.proof])
        #expect(checked.result?["sound"] as? Bool == true)
    }

    @Test("A cancel that comes when the work is done does not undo it: the answer says what was done")
    func late() throws {
        let backup = try begin("admin.vault.backup", ["path": path])
        daemon.runAside(backup)
        #expect(try TestAnswer(worker.exchange(LentVaultTests.cancel).first ?? "").text("path") == path)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("After a restore subscribers hear that the vault is open and that anything saved may be another")
    func restored() throws {
        #expect(try worker.call("admin.vault.backup", ["path": path, "proof": Examples.proof]).error == nil)
        try app.call("event.subscribe")
        let restored = try worker.call(
            "admin.vault.restore", ["path": path, "secret": Examples.proof, "proof": Examples.proof])
        #expect(restored.error == nil)
        let events = try app.received().map { line in
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(event?["params"] as? [String: Any])
        }
        #expect(events.map { $0["type"] as? String } == ["vaultUnlocked", "credentialsChanged"])
        #expect(events.last?["service"] == nil && events.last?["credential"] == nil)
    }
}
