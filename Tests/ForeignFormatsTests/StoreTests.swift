// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Testing

@testable import ForeignFormats

@Suite("Stores of pass and KWallet")
struct StoreTests {
    /// The lines that the command hands over.
    private func store(_ files: [(path: String, text: String)]) -> String {
        let lines = files.map { file in
            let text = file.text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            return "{\"record\":\"entry\",\"path\":\"\(file.path)\",\"text\":\"\(text)\"}\n"
        }
        return "{\"record\":\"pass-store\",\"version\":1}\n" + lines.joined()
            + "{\"record\":\"end\",\"entries\":\(files.count)}\n"
    }

    @Test("A file of pass: the password, values by name, the code and the notes")
    func pass() throws {
        let found = try read(
            store([
                (
                    "web/shop",
                    "p w\nuser: ann\nURL: https://shop.example\notpauth://totp/x?secret=AAAA\nPIN: 0012\n\nfree text\nmore\n"
                ),
                ("servers/db.example/root", "secret"), ("mail/ann@x.example", "pw\nhttps://x.example has no name"),
                ("memo", "\nonly notes"),
            ]))
        #expect(found.format == "pass-store" && found.entries.count == 4 && found.notConverted.isEmpty)
        let entry = found.entries[0]
        #expect(entry.title == "shop" && entry.folder == "web" && entry.user == "ann")
        #expect(entry.password?.text == "p w" && entry.sites == ["https://shop.example"])
        #expect(entry.code?.text == "otpauth://totp/x?secret=AAAA" && entry.notes?.text == "free text\nmore")
        #expect(entry.fields.map(\.name) == ["PIN"] && entry.fields.first?.isSecret == true)
        #expect(found.entries[1].sites == ["https://db.example"] && found.entries[1].user == "root")
        #expect(found.entries[2].notes?.text == "https://x.example has no name" && found.entries[2].sites.isEmpty)
        #expect(found.entries[3].kind == .note && found.entries[3].notes?.text == "only notes")
    }

    @Test("In a path a user name with a dot after a domain is the user, and a host under a domain is the site")
    func paths() throws {
        let paths = [
            "web/github.com/john.doe", "web/shop.example/www.Shop.example", "shop.example/shop.example", "john.doe",
            "shop.example/login.shop.example/ann",
        ]
        let found = try read(store(paths.map { (path: $0, text: "pw") }))
        #expect(
            found.entries.map(\.sites) == [
                ["https://github.com"], ["https://www.Shop.example"], ["https://shop.example"], ["https://john.doe"],
                ["https://login.shop.example"],
            ])
        #expect(found.entries.map(\.user) == ["john.doe", "", "", "", "ann"])
    }

    @Test("A site in the folder of its owner's is the site, and so is one whose file names the user or an address")
    func grouped() throws {
        let found = try read(
            store([
                ("google.com/youtube.com", "pw"), ("acme.com/shop.org", "pw\nlogin: ann"),
                ("acme.com/work/github.com", "pw"), ("acme.com/john.doe", "pw\nurl: https://bank.example"),
                ("acme.com/bank.de/ann", "pw"),
            ]))
        #expect(
            found.entries.map(\.sites) == [
                ["https://youtube.com"], ["https://shop.org"], ["https://github.com"], ["https://bank.example"],
                ["https://bank.de"],
            ])
        #expect(found.entries.map(\.user) == ["", "ann", "", "", "ann"])
        #expect(found.notConverted.isEmpty)
    }

    @Test("What may be a user name with a dot after a site is no site of its own; the entry is reported, with its path")
    func unclear() throws {
        let paths = [
            "web/shop.example/wei.li", "bank.example/wei.li", "acme.com/bank.de", "shop.example/mike.dev",
            "shop.example/work/john.doe",
        ]
        for text in ["pw", "pw\nnotes: a line"] {
            let found = try read(store(paths.map { (path: $0, text: text) }))
            #expect(found.entries.allSatisfy { $0.sites.isEmpty && $0.user.isEmpty && $0.password?.text == "pw" })
            #expect(found.entries.map(\.title) == paths)
            #expect(found.notConverted == paths.map { NotConverted(title: $0, what: .site, reason: .unclear) })
        }
        // Another user may be the one by whose name the file is called.
        let named = try read(
            store([
                ("shop.example/wei.li", "pw\nlogin: wei1985"), ("shop.example/sue.kim", "pw\nlogin: sue1985"),
                ("acme.com/github.com", "pw\nlogin: github.com@acme.com"),
            ]))
        #expect(named.entries.map(\.sites) == [[], [], []])
        #expect(named.entries.map(\.user) == ["wei1985", "sue1985", "github.com@acme.com"])
        #expect(named.notConverted.map(\.reason) == [.unclear, .unclear, .unclear])
    }

    @Test("Where a line names the last name of the path as the user, the domain before it is the site")
    func namedUser() throws {
        let users = ["wei.li", "Wei.Li@mail.example"]
        for path in ["web/shop.example/wei.li", "shop.example/work/wei.li"] {
            let found = try read(store(users.map { (path: path, text: "pw\nuser: \($0)") }))
            #expect(found.entries.map(\.sites) == [["https://shop.example"], ["https://shop.example"]])
            #expect(found.entries.map(\.user) == users && found.notConverted.isEmpty)
        }
    }

    @Test("The first code of a file that can be used is its code, and every other one a secret field")
    func furtherCodes() throws {
        let (first, second) = ("otpauth://totp/a?secret=AAAA", "otpauth://totp/b?secret=BBBB")
        let found = try read(
            store([("a", "pw\n\(first)\n\(second)\n"), ("b", "pw\notp: steam://AAAA\n\(second)\n")]))
        #expect(found.entries.map { $0.code?.text } == [first, second])
        #expect(found.entries.map { $0.fields.map(\.name) } == [["otp"], ["otp"]])
        #expect(found.entries.map { $0.fields.map(\.isSecret) } == [[true], [true]])
        #expect(found.entries.compactMap { $0.fields.first?.value.text } == [second, "steam://AAAA"])
        #expect(found.notConverted == [NotConverted(title: "b", what: .code, reason: .unsupportedCode)])
    }

    @Test("gopass's older form has the password in a header")
    func gopass() throws {
        let found = try read(store([("a", "GOPASS-SECRET-1.0\nUsername: ann\nPassword: pw\n\nbody\n")]))
        let entry = try #require(found.entries.first)
        #expect(entry.user == "ann" && entry.password?.text == "pw" && entry.notes?.text == "body")
    }

    @Test("What is not text or could not be decrypted is listed")
    func listed() throws {
        let found = try read(
            """
            {"record":"pass-store","version":1}
            {"record":"entry","path":"scan.png","binary":true}
            {"record":"unreadable","path":"team/bank"}
            {"record":"end","entries":2}
            """)
        #expect(found.notConverted.map(\.reason) == [.notText, .unreadable])
        #expect(found.notConverted.map(\.title) == ["scan.png", "team/bank"])
    }

    @Test("Lines that end early, miss one, or are of another version or kind are refused")
    func refusals() {
        let header = "{\"record\":\"pass-store\",\"version\":1}\n"
        let entry = "{\"record\":\"entry\",\"path\":\"a\",\"text\":\"pw\"}\n"
        let end = "{\"record\":\"end\",\"entries\":1}\n"
        #expect(throws: ConversionError(.incompleteRecords)) { try read(header + entry) }
        #expect(throws: ConversionError(.incompleteRecords, at: TextPosition(line: 2, column: 1))) {
            try read(header + end)
        }
        #expect(throws: ConversionError(.notRecords, at: TextPosition(line: 4, column: 1))) {
            try read(header + entry + end + entry)
        }
        #expect(throws: ConversionError(.notRecords, at: TextPosition(line: 3, column: 1))) {
            try read(header + entry + header + end)
        }
        #expect(throws: ConversionError(.unsupportedVersion, at: TextPosition(line: 1, column: 1))) {
            try read(header.replacing("1", with: "2") + entry + end)
        }
        #expect(throws: ConversionError(.json(.notAllowed), at: TextPosition(line: 2, column: 11))) {
            try read(header + "{\"record\":\"other\"}\n")
        }
    }

    @Test(
        "KWallet's XML: passwords and maps are entries, bytes are listed",
        .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable })
    func wallet() throws {
        let found = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <wallet name="kdewallet"><folder name="Passwords"><password name="server">p&amp;w</password></folder>
            <folder name="Form Data"><map name="https://a.example/#login"><mapentry name="username">ann</mapentry>
            <mapentry name="password">pw</mapentry><mapentry name="remember">yes</mapentry></map></folder>
            <folder name="Binary"><stream name="key">AAEC</stream></folder></wallet>
            """)
        #expect(found.format == "kwallet-xml" && found.entries.map(\.title) == ["server", "https://a.example/#login"])
        #expect(found.entries[0].folder == "Passwords" && found.entries[0].password?.text == "p&w")
        let form = found.entries[1]
        #expect(form.user == "ann" && form.password?.text == "pw" && form.sites == ["https://a.example/#login"])
        #expect(form.fields.map(\.name) == ["remember"])
        #expect(found.notConverted == [NotConverted(title: "key", reason: .notText)])
    }
}
