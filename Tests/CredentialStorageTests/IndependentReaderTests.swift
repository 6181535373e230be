// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// independent_reader.py is written from Vault-format.md alone, in another language. What it reads of a vault is compared with
/// what the vault itself reads of it, so that the page states what the code does.
@Suite("A reader written from Vault-format.md", .enabled(if: IndependentReader.python != nil, "there is no python3"))
struct IndependentReaderTests {
    @Test("It reads the vault of the first schema by its passphrase, its key file and its recovery key")
    func firstSchema() throws {
        let directory = try TemporaryDirectory()
        let database = IndependentReader.folder.appending(path: "Fixtures/vault-1.sqlite").path
        let secrets = [
            ("passphrase", "first schema"), ("keyFile", try directory.keyFile(7)),
            ("recoveryKey", "C9N4-UZAE-SZJH-T2YK-V8LV-PZ4G-8V78-FJNV"),
        ]
        for (slot, (kind, secret)) in secrets.enumerated() {
            let run = try IndependentReader.read(database, kind, secret)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.described.contains(#""opened":\#(slot + 1),"#))
            #expect(
                run.described.contains(
                    #""password":"\#(Described.hex("second".utf8))","previous":[["\#(Described.hex("first".utf8))",1795219200001]]"#
                ))
        }
    }

    /// attacks.md, the vault, 16
    @Test("Of a vault with all kinds of content it prints what the vault itself returns, by each kind of secret")
    func everything() throws {
        let directory = try TemporaryDirectory()
        let copy = try TemporaryDirectory()
        let full = try FullVault(in: directory)
        // As a killed daemon leaves it: with a write-ahead log, and entries that are in vault.releases only.
        try Tampering.copyFiles(from: directory.vaultPath, to: copy)
        let secrets = [
            ("passphrase", "cafe\u{301} au lait"), ("keyFile", try directory.keyFile(7)),
            ("recoveryKey", full.recoveryKey),
        ]
        for (slot, (kind, secret)) in secrets.enumerated() {
            let run = try IndependentReader.read(copy.database, kind, secret)
            #expect(run.status == 0, "\(run.errors)")
            #expect(difference(run.described, try full.vault.described(openedBy: slot + 1)) == nil)
        }
        let wrong = try IndependentReader.read(copy.database, "keyFile", try directory.keyFile(8))
        #expect(wrong.status != 0 && wrong.described == "")
    }

    @Test("It prints the same of a vault that was sealed again, closed, and has no log")
    func rekeyed() throws {
        let directory = try TemporaryDirectory()
        let vault = try FullVault(in: directory).vault
        try vault.rekey([.test(.key(8), label: "new", seed: 40)], at: .at(90))
        vault.close()
        let again = try Vault.unlocked(directory.vault, secret: .key(8))
        let expected = try again.described(openedBy: 5)
        again.close()
        let run = try IndependentReader.read(directory.database, "keyFile", try directory.keyFile(8))
        #expect(run.status == 0, "\(run.errors)")
        #expect(difference(run.described, expected) == nil)
    }

    @Test("It prints the same of a vault with sync, and refuses one whose list of migrations does not have it")
    func synced() throws {
        let group = try SyncedGroup()
        let spool = SyncSpool(at: try TemporaryDirectory().path + "/spool")
        var generator = SeededGenerator(seed: 5)
        let synced = try SyncedVault(
            group.desktop, in: group, sharing: spool, seed: 2,
            records: (0..<20).map { Credential.random($0, using: &generator) })
        var user = RandomUser(seed: 4)
        for step in 0..<40 { try user.step(synced.vault, at: .at(Int64(step) * 10)) }
        try synced.sync.sealChanges(at: .at(500))
        let expected = try synced.vault.described(openedBy: 1)
        #expect(expected.contains(#""form":3"#) && expected.contains(#""form":2"#))
        synced.vault.close()
        let key = try synced.directory.keyFile(7)
        let run = try IndependentReader.read(synced.directory.database, "keyFile", key)
        #expect(run.status == 0, "\(run.errors)")
        #expect(difference(run.described, expected) == nil)
        try Tampering.execute("DELETE FROM grdb_migrations WHERE identifier = '3'", on: synced.directory.database)
        #expect(try IndependentReader.read(synced.directory.database, "keyFile", key).status != 0)
    }

    @Test(
        "It accepts no change of what the page describes as pinned",
        arguments: [
            "UPDATE record SET version = version + 1 WHERE number = 9", "DELETE FROM record WHERE number = 9",
            "UPDATE record SET lookup = zeroblob(32) WHERE number = 9",
            "INSERT INTO manifest SELECT 65 + 4095, sealed FROM manifest WHERE node = 0",
            "DELETE FROM manifest WHERE node = (SELECT max(node) FROM manifest)",
            "UPDATE slot SET salt = zeroblob(32) WHERE id = 3", "DELETE FROM slot WHERE id = 1",
            "DELETE FROM release WHERE first = 1", "UPDATE release SET first = 2 WHERE first = 1",
        ])
    func tampered(_ sql: String) throws {
        let directory = try TemporaryDirectory()
        try FullVault(in: directory, passphrase: false).vault.close()
        try Tampering.execute(sql, on: directory.database)
        let run = try IndependentReader.read(directory.database, "keyFile", try directory.keyFile(7))
        #expect(run.status != 0 && run.described == "")
    }

    /// Where two texts begin to differ; nil where they are the same.
    private func difference(_ one: String, _ other: String) -> String? {
        let common = zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
        guard common < one.utf8.count || common < other.utf8.count else { return nil }
        let ends = [one, other].map {
            String(decoding: $0.utf8.dropFirst(max(common - 40, 0)).prefix(120), as: UTF8.self)
        }
        return ends.joined(separator: " / ")
    }
}

/// The reader as a program.
private enum IndependentReader {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What it prints, in the form of `JSONSerialization` with sorted keys.
    static func read(
        _ database: String, _ kind: String, _ secret: String
    ) throws -> (described: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(python))
        process.arguments = [
            "-X", "utf8", folder.appending(path: "independent_reader.py").path, database, kind, secret,
        ]
        // Into files: neither pipe can fill up while the other is read.
        let directory = try TemporaryDirectory()
        let streams = try ["output", "errors"].map { name -> FileHandle in
            let url = URL(fileURLWithPath: directory.path + "/" + name)
            try Data().write(to: url)
            return try FileHandle(forUpdating: url)
        }
        (process.standardOutput, process.standardError) = (streams[0], streams[1])
        try process.run()
        process.waitUntilExit()
        let output = FileManager.default.contents(atPath: directory.path + "/output") ?? Data()
        let errors = FileManager.default.contents(atPath: directory.path + "/errors") ?? Data()
        let described = output.isEmpty ? "" : try Described.json(JSONSerialization.jsonObject(with: output))
        return (described, String(decoding: errors, as: UTF8.self), process.terminationStatus)
    }
}

extension TemporaryDirectory {
    /// A key file of 32 such bytes.
    fileprivate func keyFile(_ byte: UInt8) throws -> String {
        let file = path + "/key-\(byte)"
        try Data(repeating: byte, count: 32).write(to: URL(fileURLWithPath: file))
        return file
    }
}
