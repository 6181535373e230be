// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Support
import Testing

@Suite("slot.*: the ways to open the vault")
struct SlotMethodTests {
    private static let other = Data(repeating: 0x41, count: 32).base64EncodedString()
    private static var otherProof: [String: Any] { ["key": ["base64": other]] }

    private func connection(_ daemon: TestService) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.hello("org.autofilld.autofillctl")
        return connection
    }

    private func slots(_ connection: ServiceConnection, proof: [String: Any] = Examples.proof) throws -> [Int] {
        let answer = try connection.call("admin.slot.list", ["proof": proof])
        return (answer.result?["slots"] as? [[String: Any]] ?? []).compactMap { $0["slot"] as? Int }
    }

    @Test("A recovery key is told once, opens the locked vault in any case and grouping, and is not listed")
    func recoveryKey() throws {
        let connection = try connection(try TestService())
        let added = try connection.call("admin.slot.add", ["recoveryKey": true, "proof": Examples.proof])
        let key = try #require(added.text("recoveryKey"))
        #expect(key.split(separator: "-").map(\.count) == [Int](repeating: 4, count: 8))
        #expect(added.text("protects")?.contains("paper") == true)
        let listed = try connection.call("admin.slot.list", ["proof": ["recoveryKey": key]])
        #expect(listed.result?["slots"].map { "\($0)" }?.contains(key) == false)
        try connection.call("admin.vault.lock")
        let typed = key.lowercased().replacing("-", with: " ")
        #expect(try connection.call("vault.unlock", ["recoveryKey": typed]).result?["changed"] as? Bool == true)
        try connection.call("admin.vault.lock")
        let mistyped = (key.hasPrefix("Q") ? "P" : "Q") + key.dropFirst()
        #expect(try connection.call("vault.unlock", ["recoveryKey": mistyped]).reasons == ["recovery-key-mistyped"])
        // A mistyped key is no try: the right one needs no waiting.
        #expect(try connection.call("vault.unlock", ["recoveryKey": key]).error == nil)
    }

    @Test("A slot's new secret opens the vault and the old one no more; its label stays")
    func change() throws {
        let daemon = try TestService()
        let connection = try connection(daemon)
        _ = try connection.call(
            "admin.slot.add", ["key": ["base64": Self.other], "label": "stick", "proof": Examples.proof])
        let third = Data(repeating: 0x42, count: 32).base64EncodedString()
        let changed = try connection.call(
            "admin.slot.change", ["slot": 2, "key": ["base64": third], "proof": Examples.proof])
        #expect(changed.result?["backups"] as? [String] == [])
        #expect(try connection.call("admin.slot.list", ["proof": Self.otherProof]).reasons == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        let listed = try connection.call("admin.slot.list", ["proof": ["key": ["base64": third]]])
        let labels = (listed.result?["slots"] as? [[String: Any]])?.compactMap { $0["label"] as? String }
        #expect(labels == ["key", "stick"])
    }

    @Test("The last slot stays, an unknown one is told, and a short passphrase is refused before anything is derived")
    func refusals() throws {
        let connection = try connection(try TestService())
        #expect(
            try connection.call("admin.slot.remove", ["slot": 1, "proof": Examples.proof]).reasons == ["slot-last"])
        #expect(
            try connection.call("admin.slot.remove", ["slot": 9, "proof": Examples.proof]).reasons == ["slot-not-found"]
        )
        let short: [String: Any] = ["passphrase": "short", "proof": Examples.proof]
        #expect(try connection.call("admin.slot.add", short).reasons == ["passphrase-too-short"])
        let both: [String: Any] = ["passphrase": "long enough", "recoveryKey": true, "proof": Examples.proof]
        #expect(try connection.call("admin.slot.add", both).problem == "parameter-invalid")
        #expect(try connection.call("admin.slot.add", ["proof": Examples.proof]).problem == "parameter-missing")
        #expect(try slots(connection) == [1])
    }

    @Test("A removed slot opens nothing, and its number is not given again")
    func remove() throws {
        let daemon = try TestService()
        let connection = try connection(daemon)
        _ = try connection.call("admin.slot.add", ["key": ["base64": Self.other], "proof": Examples.proof])
        _ = try connection.call("admin.slot.remove", ["slot": 1, "proof": Self.otherProof])
        #expect(try connection.call("admin.slot.list", ["proof": Examples.proof]).reasons == ["proof-wrong"])
        daemon.clock.advance(milliseconds: 10_000)
        _ = try connection.call("admin.slot.add", ["recoveryKey": true, "proof": Self.otherProof])
        #expect(try slots(connection, proof: Self.otherProof) == [2, 3])
    }

    @Test("admin.vault.create says what each kind of slot protects from, and what not, and tells the recovery key once")
    func create() throws {
        let connection = try connection(try TestService(isCreated: false))
        let made = try connection.call(
            "admin.vault.create",
            ["passphrase": "correct horse", "key": Examples.proof["key"] ?? "", "recoveryKey": true])
        let slots = try #require(made.result?["slots"] as? [[String: String]])
        #expect(slots.map { $0["kind"] } == ["passphrase", "key", "recoveryKey"])
        for (slot, words) in zip(slots, ["Forget it", "not against a thief of the disk", "Whoever finds it"]) {
            #expect(slot["protects"]?.contains(words) == true)
        }
        let key = try #require(made.text("recoveryKey"))
        try connection.call("admin.vault.lock")
        #expect(try connection.call("vault.unlock", ["recoveryKey": key]).result?["changed"] as? Bool == true)
    }
}
