// SPDX-License-Identifier: Apache-2.0
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import ForeignFormats

@Suite(
    "KDBX", .blocking, .timeLimit(.minutes(5)),
    .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable })
struct KeePassTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func entry() -> ForeignEntry {
        var entry = fullEntry()
        entry.tags = ["a", "b"]
        entry.used = 1_650_000_000_000
        entry.history = [
            .init(password: SecretBytes(utf8: "newer"), replaced: 1_640_000_000_000),
            .init(password: SecretBytes(utf8: "older"), replaced: 1_630_000_000_000),
        ]
        entry.passkeys = [
            ForeignPasskey(
                credentialID: "AAEC", relyingParty: "a.example", user: "ann", displayName: "", userHandle: "UH",
                key: SecretBytes(utf8: "MIGHAgEA-_8"))
        ]
        return entry
    }

    @Test("What is written is read again, to the last byte; another password is refused")
    func roundTrip() throws {
        var note = ForeignEntry(.note)
        note.title = "Memo"
        note.notes = SecretBytes(utf8: "a\r\nb\u{1}")
        let (file, missing) = try write([entry(), note], as: .keePass, password: "pass")
        #expect(missing.isEmpty)
        let found = try read(file, password: "pass")
        // An entry without a folder is before the folders.
        #expect(found.holds([note, entry()]), "\(found)")
        #expect(throws: ConversionError(.wrongPassword)) { try read(file, password: "Pass") }
        #expect(throws: ConversionError(.passwordMissing)) { try read(file) }
        #expect(throws: ConversionError(.passwordMissing), "perhaps it needs both") {
            try read(file, password: nil, keyFile: Array("x".utf8))
        }
        #expect(throws: ConversionError(.wrongPassword)) {
            try read(file, password: "pass", keyFile: Array("x".utf8))
        }
    }

    @Test("Fields of one name, and of a name that KeePass uses itself, are all kept, each under a name of its own")
    func fieldNames() throws {
        var entry = entry()
        entry.fields = ["Notes", "site", "site", "KP2A_URL", "otp", ""].map {
            .init(name: $0, value: SecretBytes(utf8: "value of \($0)"), isSecret: false)
        }
        let found = try read(try write([entry], as: .keePass, password: "pass").file, password: "pass")
        for (index, name) in ["Notes (2)", "site", "site (2)", "KP2A_URL (2)", "otp (2)", "field"].enumerated() {
            entry.fields[index].name = name
        }
        #expect(found.holds([entry]), "\(found)")
    }

    @Test("A field whose name begins as that of a further URL does is kept under another name")
    func furtherSiteNames() throws {
        var entry = entry()
        entry.fields = ["KP2A_URL_1", "KP2A_URL_1", "KP2A_URL\u{1}_2"].map {
            .init(name: $0, value: SecretBytes(utf8: "value"), isSecret: false)
        }
        let found = try read(try write([entry], as: .keePass, password: "pass").file, password: "pass")
        for (index, name) in ["field KP2A_URL_1", "field KP2A_URL_1 (2)", "field KP2A_URL_2"].enumerated() {
            entry.fields[index].name = name
        }
        #expect(found.holds([entry]), "\(found)")
    }

    @Test("U+FFFE and U+FFFF, which XML cannot have, are kept in values and left out of names")
    func noncharacters() throws {
        var entry = entry()
        entry.title = "a\u{FFFE}"
        entry.user = "\u{FFFF}b\u{FFFD}"
        entry.notes = SecretBytes(utf8: "c\u{FFFF}")
        entry.folder = "Work\u{FFFE}/Shops"
        entry.tags = ["a", "b\u{FFFF}"]
        entry.fields = ["site", "site\u{FFFE}", "Notes\u{FFFF}"].map {
            .init(name: $0, value: SecretBytes(utf8: "\u{FFFE}"), isSecret: false)
        }
        let file = try write([entry], as: .keePass, password: "pass").file
        entry.folder = "Work/Shops"
        entry.tags = ["a", "b"]
        for (index, name) in ["site", "site (2)", "Notes (2)"].enumerated() {
            entry.fields[index].name = name
            // As every value that is in base64.
            entry.fields[index].isSecret = true
        }
        let found = try read(file, password: "pass")
        #expect(found.holds([entry]), "\(found)")
    }

    @Test("Each changed byte, and each truncation, is found")
    func damage() throws {
        let file = try write([entry()], as: .keePass, password: "pass").file
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<4 {
            var damaged = file
            damaged[.random(in: 12..<file.count, using: &generator)] ^= 0x10
            #expect(throws: ConversionError.self) { try read(damaged, password: "pass") }
        }
        for length in [8, 12, 40, 200, file.count - 1] {
            #expect(throws: ConversionError.self) { try read(Array(file.prefix(length)), password: "pass") }
        }
    }

    @Test("A key derivation that asks for a terabyte, or for years, is refused at once")
    func costly() throws {
        let file = try write([entry()], as: .keePass, password: "pass").file
        for (name, value) in [("M", UInt64(1) << 40), ("I", UInt64(1) << 60), ("P", 1 << 24)] {
            var changed = file
            let mark = [UInt8](name.utf8) + [name == "P" ? 4 : 8, 0, 0, 0]
            let start = try #require(changed.indices.first { changed[$0...].starts(with: [1, 0, 0, 0] + mark) }) + 9
            for index in 0..<Int(mark[1]) { changed[start + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
            #expect(throws: ConversionError(.derivationTooCostly)) { try read(changed, password: "pass") }
        }
    }

    /// An entry in plain XML.
    private func xml(_ title: String, _ strings: [(String, String)]) -> String {
        let all = ([("Title", title)] + strings).map { "<String><Key>\($0)</Key><Value>\($1)</Value></String>" }
        return "<Entry>\(all.joined())</Entry>"
    }

    @Test("Every code after the first is a secret field; one of KeeOtp that is no TOTP in base 32 is, and is reported")
    func furtherCodes() throws {
        let entries = [
            xml(
                "A",
                [
                    ("otp", "key=JBSWY3DP&amp;otpHashMode=Sha256"), ("TimeOtp-Secret-Base32", "MZXW6YTB"),
                    ("TimeOtp-Period", "60"), ("HmacOtp-Secret-Base32", "GEZDGNBV"), ("HmacOtp-Counter", "7"),
                ]),
            xml("B", [("otp", "key=JBSWY3DP&amp;type=Hotp&amp;counter=5")]),
            xml("C", [("otp", "key=JBSWY3DP&amp;encoding=Hex"), ("TOTP Seed", "MZXW6YTB")]),
            xml("D", [("TOTP Seed", "JBSWY3DP"), ("TOTP Settings", "30;S"), ("TimeOtp-Period", "60")]),
        ]
        let found = try read(
            "<KeePassFile><Root><Group><Name>Root</Name>\(entries.joined())</Group></Root></KeePassFile>")
        let codes: [String?] = [
            "otpauth://totp/A?secret=JBSWY3DP&issuer=A&algorithm=SHA256", nil,
            "otpauth://totp/C?secret=MZXW6YTB&issuer=C", nil,
        ]
        #expect(found.entries.map { $0.code?.text } == codes)
        let fields = found.entries.map { entry in entry.fields.map { "\($0.name) \($0.value.text)" } }
        #expect(
            fields == [
                [
                    "otp otpauth://totp/A?secret=MZXW6YTB&issuer=A&period=60",
                    "otp otpauth://hotp/A?secret=GEZDGNBV&issuer=A&counter=7",
                ],
                ["otp key=JBSWY3DP&type=Hotp&counter=5"], ["otp key=JBSWY3DP&encoding=Hex"],
                ["TOTP Seed JBSWY3DP", "TOTP Settings 30;S", "TimeOtp-Period 60"],
            ])
        #expect(found.entries.allSatisfy { entry in entry.fields.allSatisfy { $0.isSecret } })
        let reports = ["B", "C", "D"].map { NotConverted(title: $0, what: .code, reason: .unsupportedCode) }
        #expect(found.notConverted == reports)
    }

    @Test("Plain XML: codes of every kind of plugin, folders, more URLs; what is in the trash is listed")
    func plainXML() throws {
        let codes = [
            [("otp", "key=JBSWY3DP&amp;size=8&amp;step=60")], [("TOTP Seed", "jbswy3dp"), ("TOTP Settings", "60;8")],
            [("TimeOtp-Secret-Base32", "JBSWY3DP"), ("TimeOtp-Period", "60"), ("TimeOtp-Length", "8")],
        ]
        let found = try read(
            """
            <?xml version="1.0"?><KeePassFile><Meta><RecycleBinUUID>BBBB</RecycleBinUUID></Meta><Root>
            <Group><UUID>AAAA</UUID><Name>Root</Name><Group><UUID>CCCC</UUID><Name>Work &amp; A</Name>
            \(codes.map { xml("T", $0) }.joined())
            \(xml("U", [("URL", "https://a.example"), ("KP2A_URL_1", "https://b.example"), ("Password", "{REF:P@I:1}")]))
            </Group><Group><UUID>BBBB</UUID><Name>Bin</Name>\(xml("Gone", []))</Group></Group></Root></KeePassFile>
            """)
        #expect(found.format == "keepass-xml")
        let uri = "otpauth://totp/T?secret=JBSWY3DP&issuer=T&digits=8&period=60"
        #expect(found.entries.map { $0.code?.text } == [uri, uri, uri, nil])
        #expect(found.entries.allSatisfy { $0.folder == "Work & A" })
        #expect(found.entries[3].sites == ["https://a.example", "https://b.example"])
        #expect(found.entries[3].password?.text == "{REF:P@I:1}")
        let reference = NotConverted(title: "U", what: .password, reason: .reference)
        #expect(found.notConverted == [reference, NotConverted(title: "Gone", reason: .deleted)])
    }

    @Test("A reference to another entry is reported for the component that it is in, and is kept as its text")
    func references() throws {
        let strings = [
            ("UserName", "{REF:U@I:1}"), ("URL", "{REF:A@I:1}"), ("Notes", "{REF:N@I:1}"), ("PIN", "{REF:O@I:1}"),
        ]
        let found = try read(
            """
            <?xml version="1.0"?><KeePassFile><Root><Group><UUID>AAAA</UUID><Name>Root</Name>
            \(xml("{REF:T@I:1}", strings))</Group></Root></KeePassFile>
            """)
        let entry = try #require(found.entries.first)
        #expect([entry.title, entry.user] + entry.sites == ["{REF:T@I:1}", "{REF:U@I:1}", "{REF:A@I:1}"])
        #expect([entry.notes?.text, entry.fields.first?.value.text] == ["{REF:N@I:1}", "{REF:O@I:1}"])
        let components: [NotConverted.What] = [.entry, .user, .site, .notes, .field]
        #expect(found.notConverted.map(\.what) == components)
        #expect(found.notConverted.allSatisfy { $0.reason == .reference && $0.title == "{REF:T@I:1}" })
    }

    @Test(
        "keepassxc-cli reads what is written, with its code",
        .enabled("keepassxc-cli is not installed") { ProgramRun.succeeds("keepassxc-cli --version") })
    func keePassXCReads() throws {
        let file = try write([entry()], as: .keePass, password: "pass").file
        let path = directory.path + "/a.kdbx"
        try Data(file).write(to: URL(filePath: path))
        let shown = try ProgramRun(
            "/bin/sh",
            [
                "-c", "keepassxc-cli show -s -t -a UserName -a Password -a PIN -a URL \(path) \"$0\"",
                "Work/Shops/" + entry().title,
            ],
            input: Array("pass\n".utf8), in: directory)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.text.hasPrefix("ann@example.com\n=cmd|'/c',\"\\\n€\u{1}\n0012\nhttps://shop.example/?a=1&b=2\n"))
        #expect(shown.text.split(separator: "\n").last?.count == 6, "\(shown.text)")
    }

    @Test(
        "What keepassxc-cli writes is read, with a key file too",
        .enabled("keepassxc-cli is not installed") { ProgramRun.succeeds("keepassxc-cli --version") })
    func keePassXCWrites() throws {
        let path = directory.path + "/b.kdbx"
        let script = """
            printf 'pass\\npass\\n' | keepassxc-cli db-create -p -k \(directory.path)/key \(path) &&
            printf 'pass\\n' | keepassxc-cli mkdir -k \(directory.path)/key \(path) Work &&
            printf 'pass\\nsecret\\nsecret\\n' | keepassxc-cli add -k \(directory.path)/key -u ann --url https://a.example \
            --notes hello -p \(path) Work/Shop
            """
        let made = try ProgramRun("/bin/sh", ["-c", script], in: directory)
        try #require(made.status == 0, "\(made.errors)")
        let file = Array(try Data(contentsOf: URL(filePath: path)))
        let key = Array(try Data(contentsOf: URL(filePath: directory.path + "/key")))
        let found = try read(file, password: "pass", keyFile: key)
        let entry = try #require(found.entries.first)
        #expect(entry.title == "Shop" && entry.user == "ann" && entry.password?.text == "secret")
        #expect(entry.folder == "Work" && entry.sites == ["https://a.example"] && entry.notes?.text == "hello")
        #expect(throws: ConversionError(.wrongPassword)) { try read(file, password: "pass") }
    }

    @Test(
        "pykeepass reads what is written, and what it writes with AES and Argon2 is read",
        .enabled("pykeepass is not installed") { ProgramRun.succeeds("/usr/bin/python3 -c 'import pykeepass'") })
    func pykeepass() throws {
        let file = try write([entry()], as: .keePass, password: "pass").file
        let path = directory.path + "/c.kdbx"
        try Data(file).write(to: URL(filePath: path))
        let script = """
            import pykeepass, sys
            kp = pykeepass.PyKeePass(sys.argv[1], password='pass')
            entry = kp.entries[0]
            print(ascii([entry.title, entry.username, entry.password, entry.url, entry.get_custom_property('PIN'), entry.otp]))
            kp.add_entry(kp.root_group, 'New', 'bob', 'pw \\u20ac', url='https://b.example', notes='n', otp='otpauth://totp/x?secret=AA')
            kp.delete_entry(entry)
            kp.save()
            old = pykeepass.create_database(sys.argv[2], password='pass')
            old.add_entry(old.root_group, 'Old', 'eve', 'pw2')
            old.save()
            """
        let other = directory.path + "/d.kdbx"
        let run = try ProgramRun("/usr/bin/python3", ["-c", script, path, other], in: directory)
        try #require(run.status == 0, "\(run.errors)")
        #expect(run.text.contains("'ann@example.com'") && run.text.contains("'0012'"), "\(run.text)")
        let found = try read(Array(Data(contentsOf: URL(filePath: path))), password: "pass")
        #expect(found.entries.map(\.title) == ["New"] && found.entries[0].password?.text == "pw €")
        #expect(found.entries[0].code?.text == "otpauth://totp/x?secret=AA")
        let old = try read(Array(Data(contentsOf: URL(filePath: other))), password: "pass")
        #expect(old.entries.map(\.user) == ["eve"])
    }
}
