// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Credentials
import Crypto
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("The format of the vault")
struct FormatTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test("Vault-format.md states for each version of the schema which autofilld can read it")
    func versions() throws {
        let page = Self.folder.appending(path: "../../Sources/VaultFormat/Vault-format.md")
        let rows = try String(contentsOf: page, encoding: .utf8).matches(
            of: /\| (\d+) \| \d+\.\d+\.\d+ \| \d+\.\d+\.\d+ \|/)
        #expect(rows.map { String($0.1) } == VaultSchema.migrations.map(\.name))
    }

    @Test(
        "What a vault's tables are compared with is what SQLite keeps of those that are made",
        arguments: FormatVersion.allCases)
    func schema(format: FormatVersion) throws {
        let connection = try SQLConnection(
            ":memory:", at: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        try VaultSchema.make(format, on: connection)
        let made = try VaultSchema.tables(on: connection)
        #expect(made.count >= 9)
        #expect(VaultSchema.expected(format) == made)
    }

    @Test("Fixed keys and nonces give the bytes of vectors.json")
    func vectorsHold() throws {
        let path = Self.folder.appendingPathComponent("Fixtures/vectors.json")
        let actual = try vectors().map { "  \"\($0.0)\": \"\($0.1)\"" }.joined(separator: ",\n")
        let text = "{\n\(actual)\n}\n"
        if ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_VECTORS"] == "1" {
            try text.write(to: path, atomically: true, encoding: .utf8)
            Issue.record("vectors.json was written again")
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == text)
    }

    /// Each name and its bytes in hexadecimal. The vault key is 00…1f; nonces are those of the generator below.
    private func vectors() throws -> [(String, String)] {
        var vectors: [(String, String)] = []
        func add(_ name: String, _ bytes: some Sequence<UInt8>) {
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            vectors.append((name, digits))
        }
        func add(_ name: String, _ secret: SecretBytes) { secret.withUnsafeBytes { add(name, Array($0)) } }
        let vaultKey = SecretBytes(copying: 0..<32, count: 32)
        let keys = VaultKeys(vaultKey: vaultKey)
        add("vault key", vaultKey)
        for (name, key) in [
            ("records", keys.records), ("manifest", keys.manifest), ("releases", keys.releases),
            ("slot notes", keys.slotNotes),
        ] { add("sub-key \(name)", key) }
        add("sub-key index", VaultKeys.derive("autofilld vault 2 index", from: vaultKey))

        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 0)
        let credential = Credential.vector
        let lookup = credential.blindIndex(key: keys.index).bytes
        let plain = BinaryWriter.encode(padded: SizeClass.record) { writer in
            RecordHeader(sealing: 7).write(to: &writer)
            credential.write(to: &writer)
        }
        let associated = lookup.withUnsafeBytes {
            AssociatedData.record(credential.id, version: credential.version, lookup: $0)
        }
        let item = Item.blindIndex(
            accessGroup: "group", place: .init(service: "service", account: "ann"), key: keys.index)
        add("lookup of item group, service, ann", item.bytes)
        let attribute = Item.Attribute("server", "mail.example.com")
        add(
            "look-up of attribute server, mail.example.com in group",
            Item.lookup(accessGroup: "group", attribute, key: keys.index).bytes)
        add("credential id", credential.id.stored)
        add("credential lookup", lookup)
        add("credential associated data", associated)
        add("credential plain text", plain)
        add(
            "credential sealed",
            try plain.withUnsafeBytes {
                try Sealing.seal($0, key: keys.records, associated: associated, using: &entropy)
            })

        let release = try ReleaseEntry.seal(
            .test(1), number: 1, after: ReleaseLink(), key: keys.releases, using: &entropy)
        add("release entry", release.bytes)

        var bucket = ManifestBucket()
        bucket.entries = [
            ManifestEntry(
                id: credential.id, version: 1, sealing: 7, changed: .at(), tag: SealTag(high: 1, low: 2),
                lookups: LookupRows(id: credential.id, tags: [SealTag(high: 3, low: 4), SealTag(high: 5, low: 6)])
                    .digest)
        ]
        add("manifest bucket plain text", BinaryWriter.encode { bucket.write(.present, to: &$0) })
        let root = ManifestRoot(vaultID: SealTag(high: 3, low: 4), slots: [])
        add("manifest root plain text", BinaryWriter.encode { root.write(to: &$0) })

        let salt = [UInt8](repeating: 0xA5, count: 32)
        let cost = PassphraseCost.least
        let passphrase = try VaultSecret.passphrase("correct horse").wrappingKey(salt: salt, cost: cost)
        add("wrapping key of passphrase 'correct horse', salt a5…, N=2^17 r=8 p=1", passphrase)
        let recovery = RecoveryKey(bytes: SecretBytes(copying: 0..<16, count: 16))
        add(
            "wrapping key of recovery key 00…0f, salt a5…",
            try VaultSecret.recovery(recovery).wrappingKey(salt: salt, cost: nil))
        add(
            "wrapping key of key file 00…1f, salt a5…", try VaultSecret.key(vaultKey).wrappingKey(salt: salt, cost: nil)
        )
        vectors.append(("recovery key 00…0f as shown", recovery.grouped.text))

        let slot = NewSlot(kind: .passphrase, label: "mine", cost: cost, salt: salt, wrappingKey: passphrase)
        var row = SlotRow(id: 1, new: slot)
        try row.wrap(vaultKey, with: passphrase, using: &entropy)
        try row.setNote(label: "mine", created: .at(), keys: keys, using: &entropy)
        add("slot wrapped", row.wrapped)
        add("slot checksum", row.checksum)
        add("slot note", row.note)
        add("slot failures", row.failures)
        add("slots digest", SlotRow.digest([row]))
        let present = try ReleaseEntry.seal(
            .test(1), number: 1, after: ReleaseLink(generation: 7), key: keys.releases, using: &entropy)
        add("release entry of generation 7", present.bytes)
        return vectors
    }

    @Test("What does not fit the memory is measured, and nothing is written behind that")
    func tooLittleMemory() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { memory.deallocate() }
        for length in 0...40 {
            memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
            let start = UnsafeMutableRawBufferPointer(rebasing: memory[..<length])
            let written = BinaryWriter.encode(into: start, padded: { ($0 + 7) / 8 * 8 }) { writer in
                writer.put(7 as UInt8)
                writer.put(1 as UInt64)
                writer.put("name")
                writer.put([1, 2, 3, 4] as [UInt8])
            }
            #expect(written == 32)
            #expect(memory[length...].allSatisfy { $0 == 0xAA })
        }
    }

    @Test("The index's code is HMAC-SHA256, cut in half")
    func keyedHash() {
        var generator = SeededGenerator(seed: 3)
        for length in [0, 1, 55, 56, 64, 65, 200] {
            let key = SecretBytes(random: 32, using: &generator)
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let symmetricKey = key.withUnsafeBytes { SymmetricKey(data: $0) }
            let expected = HMAC<SHA256>.authenticationCode(for: message, using: symmetricKey)
            #expect(
                KeyedHash(key: key).code(for: message)
                    == expected.withUnsafeBytes { SealTag(UnsafeRawBufferPointer(rebasing: $0.prefix(16))) })
        }
    }

    @Test("The number of a service's kind is its place among those that have one; another has none")
    func kindNumbers() {
        for (index, kind) in Service.Kind.numbered.enumerated() {
            #expect(kind.storedNumber == UInt8(index + 1))
            #expect(Service.Kind(storedNumber: kind.storedNumber) == kind)
        }
        #expect(Service.Kind.title.storedNumber == 0 && Service.Kind(storedNumber: 0) == nil)
    }

    @Test("What is left is padding where every byte of it is zero, whatever its length and place")
    func padding() {
        func isPadding(_ bytes: [UInt8], after length: Int) -> Bool {
            bytes.withUnsafeBytes { bytes in
                var reader = BinaryReader(bytes)
                _ = reader.take(length)
                return reader.isAtEnd
            }
        }
        for (start, length) in [0, 1, 5].flatMap({ start in (0...17).map { (start, $0) } }) {
            var bytes = [UInt8](repeating: 9, count: start) + [UInt8](repeating: 0, count: length)
            #expect(isPadding(bytes, after: start))
            for place in start..<start + length {
                bytes[place] = 1
                #expect(!isPadding(bytes, after: start))
                bytes[place] = 0
            }
        }
    }

    @Test("Values keep their order: no two lists of names give one index")
    func unambiguous() {
        let key = KeyedHash(key: SecretBytes(copying: 0..<32, count: 32))
        let lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]]
        #expect(Set(lists.map { BlindIndex.digest(.items, $0, key: key) }).count == lists.count)
        #expect(BlindIndex.digest(.items, ["x"], key: key) != BlindIndex.digest(.verifiers, ["x"], key: key))
    }

    @Test("A plain text that is cut, longer, or of a later format is refused, not misread")
    func strictReading() {
        let credential = Credential.vector
        let plain = BinaryWriter.encode { writer in
            RecordHeader(sealing: 7).write(to: &writer)
            credential.write(to: &writer)
        }
        func parse(_ bytes: [UInt8]) -> Credential? {
            bytes.withUnsafeBytes { Credential(plain: $0, id: credential.id, version: 1) }
        }
        let bytes = plain.withUnsafeBytes { Array($0) }
        #expect(parse(bytes)?.user == "ann")
        #expect(parse(bytes + [0, 0, 0])?.user == "ann")
        #expect(parse(bytes + [0, 1]) == nil)
        #expect(parse([3] + bytes.dropFirst()) == nil)
        #expect(parse([1] + bytes.dropFirst(9)) == nil)
        let former = BinaryWriter.encode { writer in
            writer.format = .first
            RecordHeader(format: .first, sealing: 0).write(to: &writer)
            credential.write(to: &writer)
        }
        #expect(parse(former.withUnsafeBytes { Array($0) })?.user == "ann")
        for length in 0..<bytes.count { #expect(parse(Array(bytes.prefix(length))) == nil) }
    }

    @Test(
        "Names are normalised as Unicode Standard Annex #15 specifies: composed, excluded, reordered, Hangul, singletons"
    )
    func normalised() {
        for (text, expected) in [
            ("ascii", "ascii"), ("cafe\u{301}", "caf\u{E9}"), ("\u{212B}", "\u{C5}"),
            ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("s\u{307}\u{323}", "\u{1E69}"), ("\u{958}", "\u{915}\u{93C}"),
            ("\u{FB01}", "\u{FB01}"), ("\u{2126}\u{0}\u{1F511}", "\u{3A9}\u{0}\u{1F511}"),
        ] {
            #expect(Canonical.utf8(text) == Array(expected.utf8))
            #expect(SecretBytes(utf8: text).inNFC.equals(SecretBytes(utf8: expected)))
        }
        let broken = SecretBytes(copying: [0x65, 0xCC, 0xFF], count: 3)
        #expect(broken.inNFC.equals(broken))
    }

    @Test("Any bytes at all are read without harm")
    func anyBytes() {
        var generator = SeededGenerator(seed: 6)
        let id = ObjectID(kind: .credential, high: 1, low: 1)
        let key = SecretBytes(copying: 0..<32, count: 32)
        for kind in ObjectID.Kind.allCases {
            for _ in 0..<500 {
                let length = Int.random(in: 0..<300, using: &generator)
                var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if !bytes.isEmpty { bytes[0] = 1 }
                bytes.withUnsafeBytes {
                    _ = kind.recordType?.init(
                        plain: $0, id: ObjectID(kind: kind, high: id.high, low: id.low), version: 1)
                    _ = ManifestBucket($0)
                    _ = ManifestRoot($0)
                    _ = ReleaseEntry.all(in: $0)
                    #expect(ReleaseScan($0, key: key).found.isEmpty)
                    var reader = BinaryReader($0)
                    _ = ReleaseLink(from: &reader)
                    _ = Release(from: &reader)
                }
            }
        }
    }
}

extension Credential {
    fileprivate static var vector: Credential {
        Credential(
            id: ObjectID(kind: .credential, high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF),
            services: [.init(.domain("shop.example"))], user: "ann", password: SecretBytes(utf8: "secret"),
            rules: "minlength: 20;",
            created: .at(), changed: .at(1), writer: .shop,
            previous: [.init(password: SecretBytes(utf8: "former"), replaced: .at(1))])
    }
}
