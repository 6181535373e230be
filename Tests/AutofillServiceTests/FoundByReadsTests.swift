// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Prompting
import SecretMemory
import Settings
import Support
import TestGround
import Testing

@testable import AutofillService
@testable import CredentialStorage
@testable import VaultFormat

@Suite("What reads find wrong")
struct FoundByReadsTests {
    private func key(_ account: String) -> KeychainGet { KeychainGet(.place(namespace: "notes", account: account)) }

    @Test(
        "In a vault that is not compared at the unlock a read reports it to the journal and the status once, and is answered"
    )
    func once() throws {
        let directory = try TemporaryDirectory()
        var settings = DaemonSettings()
        // A backup reads the whole vault.
        settings.automaticBackups = 0
        let daemon = try TestService(
            location: .directory(directory.path + "/data"), consent: .fixed(.allow), settings: settings)
        let shop = daemon.connect()
        try shop.greet()
        let item = try shop.answer(
            to: KeychainSet(namespace: "notes", account: "ann", data: SecretBytes(utf8: "horse"))
        ).item
        let user = try daemon.user()
        try user.answer(to: VaultLock())
        let vault = try #require(daemon.vault)
        // As after an unlock of one that is too large.
        vault.limits.comparedAtUnlock = 0
        try user.answer(to: VaultUnlock(proof: .test))
        let id = try #require(ObjectID(item))
        try vault.file.openDatabase.write { statements throws(VaultError) in
            try statements.lookups?.delete.run(.bytes(id.stored))
        }
        func faults() -> Int {
            daemon.journal.count { $0.message == "[AutoFill] Fault: the vault is corrupt: damaged" }
        }
        func problems() throws -> [String] {
            try user.answer(to: Status()).daemon?.problems.filter { $0.hasPrefix("The vault is corrupt") } ?? []
        }
        #expect(try problems() == [] && faults() == 0)
        for _ in 0..<3 { #expect(try shop.answer(to: key("ann")).data.text == "horse") }
        try daemon.begin { await $0.keepUp() }
        #expect(faults() == 1)
        #expect(try problems().map { $0.hasPrefix("The vault is corrupt (findings: 1).") } == [true])
        #expect(try shop.answer(to: key("ann")).data.text == "horse")
        #expect(try problems().count == 1 && faults() == 1)
        // A check counts it once, and a repair removes it.
        #expect(try user.answer(to: VaultCheck(proof: .test)).findingCount == 1)
        #expect(try shop.answer(to: key("ann")).data.text == "horse")
        #expect(try problems().map { $0.hasPrefix("The vault is corrupt (findings: 1).") } == [true])
        try user.answer(to: VaultCheck(repairs: true, proof: .test))
        #expect(try shop.answer(to: key("ann")).data.text == "horse")
        #expect(try problems() == [])
    }
}
