// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Support
import Testing

/// Rekey, restore and repair have the vault for themselves: what others see meanwhile, and afterwards.
@Suite("While the whole vault is changed")
struct WholeVaultTests {
    enum Change: String, CaseIterable {
        case rekey = "admin.vault.rekey"
        case restore = "admin.vault.restore"
        case repair = "admin.vault.check"
    }

    private let folder: String
    private let daemon: TestService
    private let worker: ServiceConnection
    private let app: ServiceConnection
    private static let otherKey = ["base64": Data(repeating: 8, count: 32).base64EncodedString()]

    /// A vault of three credentials, with a backup of the first; for a repair one of the three is gone.
    init() throws {
        folder = try TestFiles.folder()
        daemon = try TestService(location: .directory(folder + "/data"))
        worker = daemon.connect()
        try worker.hello("org.autofilld.autofillctl")
        app = daemon.connect()
        try app.hello()
        try save("ann")
        let backup = try worker.call("admin.vault.backup", ["path": folder + "/backup", "proof": Examples.proof])
        #expect(backup.error == nil)
        try save("bob")
        try save("eve")
    }

    private func save(_ user: String) throws {
        let saved = try app.call("credential.save", ["service": Examples.shop, "user": user, "password": user])
        #expect(saved.result?["changed"] as? Bool == true)
    }

    private func users(proof: [String: Any] = Examples.proof) throws -> [String] {
        let listed = try worker.call("credential.list", ["proof": proof])
        let credentials = try #require(listed.result?["credentials"] as? [[String: Any]])
        return credentials.compactMap { $0["user"] as? String }.sorted()
    }

    /// Begins a change, and brings it to where it has the vault.
    private func begin(_ change: Change) throws -> HeldWork {
        var parameters: [String: Any] = ["proof": Examples.proof]
        switch change {
        case .rekey: parameters["key"] = Self.otherKey
        case .restore: parameters.merge(["path": folder + "/backup", "secret": Examples.proof]) { $1 }
        case .repair:
            parameters["repair"] = true
            try daemon.loseCredential(of: "eve")
        }
        let request: [String: Any] = [
            "jsonrpc": "2.0", "id": 7, "method": change.rawValue, "params": parameters,
        ]
        let line = String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
        var work = try #require(try daemon.begin(line, worker))
        // The new slots; or the slots of the backup, and the key of one of them.
        let parts = [.rekey: 1, .restore: 2, .repair: 0][change] ?? 0
        for _ in 0..<parts { work = try #require(try daemon.step(work)) }
        return work
    }

    private func finish(_ work: HeldWork) throws -> TestAnswer {
        try TestAnswer(try #require(try daemon.finish(work, worker).first))
    }

    private func expectUndone(_ change: Change) throws {
        #expect(try users() == (change == .repair ? ["ann", "bob"] : ["ann", "bob", "dan", "eve"]))
        let checked = try worker.call("admin.vault.check", ["proof": Examples.proof])
        #expect(checked.result?["sound"] as? Bool == (change != .repair))
    }

    private static let save = #"""
        {"jsonrpc":"2.0","id":8,"method":"credential.save","params":{"service":{"type":"domain","value":"shop.example.com"},"user":"dan","password":"secret"}}
        """#

    @Test(
        "Requests that need the vault wait, the status tells how far it is, and then they are done",
        arguments: Change.allCases)
    func waiting(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let work = try begin(change)
        #expect(try app.exchange(Self.save) == [])
        daemon.runAside(work)
        let answers = try app.send("status")
        let status = try #require(answers.first)
        let told = try #require(status.result?["work"] as? [String: Any])
        #expect(status.text("vault") == "unlocked" && told["method"] as? String == change.rawValue)
        #expect(told["all"] as? Int ?? 0 > 0 && told["done"] as? Int == told["all"] as? Int)
        let answer = try TestAnswer(try #require(try daemon.finish(work, worker).first))
        #expect(answer.error == nil)
        #expect(answers.dropFirst().map { $0.result?["changed"] as? Bool } == [true])
        #expect(try app.call("status").result?["work"] == nil)
        let proof = change == .rekey ? ["key": Self.otherKey] : Examples.proof
        let expected: [Change: [String]] = [
            .rekey: ["ann", "bob", "dan", "eve"], .restore: ["ann", "dan"], .repair: ["ann", "bob", "dan"],
        ]
        #expect(try users(proof: proof) == expected[change])
        #expect(try worker.call("admin.vault.check", ["proof": proof]).result?["sound"] as? Bool == true)
    }

    @Test("Taken back, it is undone, and what waited for it is done", arguments: Change.allCases)
    func cancelled(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let work = try begin(change)
        if change != .repair { #expect(try app.exchange(Self.save) == []) }
        #expect(try worker.exchange(LentVaultTests.cancel) == [])
        #expect(try finish(work).reasons == ["cancelled"])
        if change != .repair { #expect(try app.answers().map { $0.error == nil } == [true]) }
        try expectUndone(change)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/data").allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test("It is undone too when its connection ends, and what waited for it is done", arguments: Change.allCases)
    func disconnected(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = daemon.connect()
        try other.hello("org.autofilld.autofillctl")
        let work = try begin(change)
        #expect(try app.exchange(Self.save) == [])
        try worker.disconnect()
        #expect(try daemon.finish(work, worker) == [])
        #expect(try app.answers().map { $0.error == nil } == [true])
        let checked = try other.call("admin.vault.check", ["proof": Examples.proof])
        #expect(checked.result?["sound"] as? Bool == (change != .repair))
    }

    @Test(
        "A lock undoes it, and takes the keys; what waited hears that the vault is locked", arguments: Change.allCases)
    func locked(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let work = try begin(change)
        let other = daemon.connect()
        try other.hello()
        #expect(try other.exchange(#"{"jsonrpc":"2.0","id":9,"method":"admin.vault.lock"}"#) == [])
        #expect(try app.exchange(Self.save) == [])
        #expect(try finish(work).reasons == ["cancelled"])
        #expect(try other.answers().first?.result?["changed"] as? Bool == true)
        #expect(try app.answers().map(\.reasons) == [["vault-locked"]])
        #expect(try app.call("status").text("vault") == "locked")
    }

    @Test(
        "Who has waited two minutes hears that the vault is busy, what to do, and when; once",
        arguments: Change.allCases)
    func busy(_ change: Change) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let work = try begin(change)
        #expect(try app.exchange(Self.save) == [])
        daemon.clock.advance(milliseconds: Int64(Limits.promptMilliseconds) - 1)
        try daemon.settle()
        try daemon.settle()
        #expect(app.received() == [])
        daemon.clock.advance(milliseconds: 1)
        try daemon.settle()
        try daemon.settle()
        let answers = try app.answers()
        let data = answers.first?.error?["data"] as? [String: Any]
        let reason = try #require((data?["reasons"] as? [[String: Any]])?.first)
        #expect(answers.count == 1 && reason["reason"] as? String == "vault-busy")
        #expect(reason["fix"] as? String == "Try again when the work on the vault is done: autofillctl status")
        #expect(reason["retry"] as? String == "afterDelay" && reason["retryAfterMilliseconds"] as? Int == 1000)
        #expect(try finish(work).error == nil)
        #expect(app.received() == [])
        #expect(try app.exchange(Self.save).count == 1)
    }

    @Test("A restore that is taken back while the slots of the backup are read, or its key is derived, is not made")
    func earlyCancel() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for parts in 0..<2 {
            let request: [String: Any] = [
                "jsonrpc": "2.0", "id": 7, "method": "admin.vault.restore",
                "params": ["path": folder + "/backup", "secret": Examples.proof, "proof": Examples.proof],
            ]
            let line = String(decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self)
            var work = try #require(try daemon.begin(line, worker))
            for _ in 0..<parts { work = try #require(try daemon.step(work)) }
            daemon.runAside(work)
            let told = try worker.exchange(LentVaultTests.cancel)
            let answers = try (told + daemon.finish(work, worker)).map(TestAnswer.init)
            #expect(answers.map(\.reasons) == [["cancelled"]])
        }
        #expect(try users() == ["ann", "bob", "eve"])
    }
}
