// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Glibc
import SecretMemory
import Support
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

/// The memory of a process, as root may read it.
private struct ProcessMemory {
    private static let step = 1 << 22

    /// Every readable mapping; nil where /proc/PID/mem may not be opened.
    static func chunks(of process: Int32, _ body: ([UInt8]) -> Void) throws -> Bool {
        let memory = open("/proc/\(process)/mem", O_RDONLY)
        guard memory >= 0 else { return false }
        defer { close(memory) }
        let maps = String(decoding: try #require(try mappings(of: process)), as: UTF8.self)
        try #require(maps.contains("[heap]") || maps.contains("[stack]"))
        for line in maps.split(separator: "\n") {
            let parts = line.split(separator: " ")
            let bounds = parts[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            // The kernel's own pages cannot be read this way.
            guard bounds.count == 2, parts[1].hasPrefix("r"), !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]")
            else { continue }
            // Overlapping, so that needles across two chunks are found too.
            for start in stride(from: bounds[0], to: bounds[1], by: step) {
                var chunk = [UInt8](repeating: 0, count: Int(min(bounds[1] - start, UInt(step) + 256)))
                let count = pread(memory, &chunk, chunk.count, off_t(bitPattern: start))
                if count > 0 { body(Array(chunk[..<count])) }
            }
        }
        return true
    }

    /// Its /proc/PID/maps, which has no length beforehand.
    private static func mappings(of process: Int32) throws -> Data? {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/maps"))
        defer { try? file.close() }
        return try file.readToEnd()
    }

    /// Which of the needles are in it.
    static func found(_ needles: [String: [UInt8]], in process: Int32) throws -> [String]? {
        var found: Set<String> = []
        let isReadable = try chunks(of: process) { chunk in
            chunk.withUnsafeBytes { memory in
                for (name, needle) in needles where contains(memory, needle) { found.insert(name) }
            }
        }
        return isReadable ? found.sorted() : nil
    }

    private static func contains(_ memory: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
        guard var place = memory.baseAddress else { return false }
        let end = place + memory.count
        while end - place >= needle.count, let first = memchr(place, Int32(needle[0]), end - place - needle.count + 1) {
            if memcmp(first, needle, needle.count) == 0 { return true }
            place = UnsafeRawPointer(first) + 1
        }
        return false
    }
}

@Suite("The daemon's memory", .serialized, .blocking)
struct MemoryTests {
    private static let passphrase = "needle-passphrase-7Kq2"
    private static let served = "needle-served-password-9Xw4"
    private static let received = "needle-received-password-3Rt8"
    private static let short = "ndl5hort#Pq1"
    private static let key = [UInt8]((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
    private static let codeSecret = [UInt8]((0..<20).map { UInt8(truncatingIfNeeded: $0 * 91 + 47) })
    /// The same in base 32 (RFC 4648, section 6).
    private static let encodedCodeSecret = "F6FOKQE36ZI2YB3CXUMHHTRJQTPTVFPQ"
    private static let item = [UInt8]((0..<48).map { UInt8(truncatingIfNeeded: $0 * 53 + 29) })

    @Test(
        "After a lock, with connections still open, it holds no key, passphrase, recovery key, password, secret of codes nor item",
        .enabled(if: geteuid() == 0, "the daemon is not dumpable: only root may read its memory"))
    func afterLock() throws {
        let daemon = try DaemonProcess(isEphemeral: false, opensWithKey: false)
        let control = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try control.hello("org.autofilld.autofillctl")
        let made = try control.call(
            "admin.vault.create",
            [
                "passphrase": Self.passphrase, "key": ["base64": Data(Self.key).base64EncodedString()],
                "drawRecoveryKey": true,
            ])
        let recoveryKey = try #require(made.text("recoveryKey"))
        let proof: [String: Any] = ["type": "passphrase", "passphrase": Self.passphrase]
        let keyProof = Examples.keyProof(Data(Self.key))

        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": Self.served])
        let got = try app.call("credential.get", ["service": Examples.shop, "user": "ann"])
        #expect(got.text("password") == Self.served)
        let suggested = try app.call(
            "autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        let generated = try #require(try app.call("autofill.fill", ["offer": offer]).text("password"))
        try app.call("autofill.accept", ["offer": offer, "user": "bob"])
        for password in [Self.received, Self.short] {
            try control.call(
                "credential.save",
                [
                    "service": Examples.bank, "user": password == Self.short ? "s" : "r", "password": password,
                    "proof": proof,
                ])
        }
        try Self.useCodesAndItems(app)
        // A wrong passphrase, a proof of each kind, and work on another thread.
        let wrong = "needle-wrong-passphrase-1Zz6"
        let guess = ["type": "passphrase", "passphrase": wrong]
        #expect(try control.call("admin.slot.list", ["proof": guess]).reasons == ["proof-wrong"])
        let typed = ["type": "recoveryKey", "recoveryKey": recoveryKey]
        var listed = try control.call("admin.slot.list", ["proof": typed])
        #expect(listed.error == nil)
        var checked = try control.call("admin.vault.check", ["proof": keyProof])
        while checked.reasons == ["proof-too-soon"] {
            checked = try control.call("admin.vault.check", ["proof": keyProof])
        }
        #expect(checked.result?["intact"] as? Bool == true)
        let backup = daemon.folder + "/backup.sqlite"
        #expect(try control.call("admin.vault.backup", ["path": backup, "proof": keyProof]).error == nil)

        let needles = try Self.needles(
            [
                "passphrase": Self.passphrase, "wrong passphrase": wrong, "recovery key": recoveryKey,
                "served": Self.served, "received": Self.received, "short": Self.short, "generated": generated,
                "secret of codes in base 32": Self.encodedCodeSecret,
            ], backup: backup)
        let open = try #require(try ProcessMemory.found(needles, in: daemon.process.processIdentifier))
        // The index key itself is not kept, only its two padded forms.
        #expect(
            Set(open).isSuperset(of: ["vault key", "key of the index, inner", "key of the index, outer"]),
            "the scan finds what is there")
        try control.call("admin.vault.lock")
        let found = try #require(try ProcessMemory.found(needles, in: daemon.process.processIdentifier))
        #expect(found == [])
        listed = try app.call("status")
        #expect(listed.text("vault") == "locked")
    }

    /// attacks.md, the vault, 14
    @Test(
        "After a lock it holds no user, site, account nor item's name that was saved, listed, given out, checked or refused",
        .enabled(if: geteuid() == 0, "the daemon is not dumpable: only root may read its memory"))
    func namesAfterLock() throws {
        let daemon = try DaemonProcess(isEphemeral: false, opensWithKey: false)
        let control = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try control.hello("org.autofilld.autofillctl")
        let key = Examples.keyProof(Data(Self.key))
        try control.call("admin.vault.create", ["key": key["key"] ?? ""])
        var needles: [String: [UInt8]] = [:]
        func name(_ text: String) -> String {
            needles[text] = Array(text.utf8)
            return text
        }
        for number in 0..<40 {
            let site: [String: Any] = ["type": "domain", "value": name("needle-site-\(number).example")]
            let user = name("needle-user-\(number)@mail.example")
            let account: [String: Any] = ["service": site, "user": user, "proof": key]
            try control.call("credential.save", account.merging(["password": "Pa55word-\(number)"]) { $1 })
            #expect(try control.call("credential.get", account).text("password") == "Pa55word-\(number)")
        }
        #expect(try control.call("credential.list", ["proof": key]).result != nil)
        #expect(try control.call("admin.vault.check", ["proof": key]).result?["intact"] as? Bool == true)
        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        for number in 0..<20 {
            let place: [String: Any] = [
                "place": [
                    "namespace": name("needle-service-\(number) of an item"),
                    "account": name("needle-account-\(number) of an item"),
                ]
            ]
            #expect(try app.call("keychain.set", place.merging(["data": ["base64": "QQ=="]]) { $1 }).error == nil)
            #expect(try app.call("keychain.get", place).error == nil)
        }
        #expect(try app.call("keychain.search", ["place": ["namespace": "needle-service-3 of an item"]]).error == nil)
        let user = name("needle-own-user@mail.example")
        try app.call("credential.save", ["service": Examples.shop, "user": user, "password": "x"])
        #expect(try app.call("credential.get", ["service": Examples.shop, "user": user]).error == nil)
        #expect(
            try app.call("credential.get", ["service": Examples.shop, "user": name("needle-absent-user@mail.example")])
                .error != nil)
        try control.call("admin.vault.lock")
        let found = try #require(try ProcessMemory.found(needles, in: daemon.process.processIdentifier))
        #expect(found == [])
        #expect(try app.call("status").text("vault") == "locked")
    }

    /// Saves ann's codes and an item of the app, and reads both.
    private static func useCodesAndItems(_ app: SocketConnection) throws {
        let account: [String: Any] = ["service": Examples.shop, "user": "ann"]
        let uri = "otpauth://totp/ann?secret=\(encodedCodeSecret)"
        let set = try app.call("code.set", account.merging(["uri": uri]) { $1 })
        #expect(set.result?["changed"] as? Bool == true)
        #expect(try app.call("code.get", account).text("code")?.count == 6)
        let place: [String: Any] = ["place": ["namespace": "tokens", "account": "ann"]]
        let data = ["base64": Data(item).base64EncodedString()]
        #expect(try app.call("keychain.set", place.merging(["data": data]) { $1 }).error == nil)
        let read = try app.call("keychain.get", place)
        #expect(read.result?["data"] as? [String: String] == data)
    }

    /// HMAC's forms of a key (RFC 2104): padded with zeros and exclusive-or-ed, as bytes and as the words of SHA.
    private static func hashed(_ name: String, _ key: [UInt8]) -> [String: [UInt8]] {
        var forms: [String: [UInt8]] = [name: key]
        for (side, pad) in [("inner", UInt8(0x36)), ("outer", UInt8(0x5C))] {
            let padded = key.map { $0 ^ pad }
            forms["\(name), \(side)"] = padded
            // Whole words only: both keys are of a multiple of four bytes.
            forms["\(name), \(side), as words"] = stride(from: 0, to: padded.count, by: 4).flatMap {
                padded[$0..<$0 + 4].reversed()
            }
        }
        return forms
    }

    /// The texts as UTF-8, the key file's bytes and the item's also as base64, and the keys of the vault, read from a backup.
    private static func needles(_ texts: [String: String], backup: String) throws -> [String: [UInt8]] {
        var needles = texts.mapValues { Array($0.utf8) }
        needles["key"] = key
        needles["key in base64"] = Array(Data(key).base64EncodedString().utf8)
        needles["item"] = item
        needles["item in base64"] = Array(Data(item).base64EncodedString().utf8)
        needles.merge(hashed("secret of codes", codeSecret)) { $1 }
        let slots = try VaultSnapshot.read(backup) { (snapshot) throws(VaultError) in try snapshot.slots() }
        let slot = try #require(slots.first { $0.kind == Slot.Kind.key.rawValue })
        let secret = VaultSecret.key(SecretBytes(copying: key, count: key.count))
        let wrappingKey = try secret.wrappingKey(salt: slot.salt, cost: nil)
        let keys = VaultKeys(vaultKey: try #require(try slot.unwrap(with: wrappingKey)))
        for (name, secret) in [
            ("wrapping key", wrappingKey), ("vault key", keys.vaultKey), ("key of records", keys.records),
            ("key of the manifest", keys.manifest), ("key of releases", keys.releases),
            ("key of notes", keys.slotNotes), ("key of marks", keys.marks),
        ] {
            needles[name] = secret.withUnsafeBytes { Array($0) }
        }
        let index = VaultKeys.derive("autofilld vault \(keys.format.rawValue) index", from: keys.vaultKey)
        needles.merge(hashed("key of the index", index.withUnsafeBytes { Array($0) })) { $1 }
        return needles
    }
}
