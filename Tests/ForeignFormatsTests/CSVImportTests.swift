// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import ForeignFormats

@Suite("CSV files of browsers and password managers")
struct CSVImportTests {
    @Test("Chrome's: name, URL, user, password and note")
    func chrome() throws {
        let found = try csv("name,url,username,password,note\nShop,https://shop.example/,ann,\"p,w\"\"\",a\n")
        #expect(found.format == "chrome-csv")
        let entry = try #require(found.entries.first)
        #expect(entry.title == "Shop" && entry.sites == ["https://shop.example/"] && entry.user == "ann")
        #expect(entry.password?.text == "p,w\"" && entry.notes?.text == "a" && entry.line == 2)
    }

    @Test("Firefox's: times in milliseconds, and the realm of HTTP authentication as a field")
    func firefox() throws {
        let found = try csv(
            """
            "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timeLastUsed","timePasswordChanged"
            "https://a.example","ann","pw","Staff","","{1}","1700000000001","1700000000002","1700000000003"
            """)
        #expect(found.format == "firefox-csv")
        let entry = try #require(found.entries.first)
        #expect(entry.created == 1_700_000_000_001 && entry.used == 1_700_000_000_002)
        #expect(entry.changed == 1_700_000_000_003)
        #expect(entry.fields.map(\.name) == ["httpRealm"] && entry.fields.first?.value.text == "Staff")
    }

    @Test("Apple's: notes over several lines, and the URI of one-time codes")
    func apple() throws {
        let uri = "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop"
        let found = try csv(
            "Title,URL,Username,Password,Notes,OTPAuth\r\nShop,https://shop.example/,ann,pw,\"one\r\ntwo\",\(uri)\r\n"
                + "B,https://b.example/,,x,,\r\n")
        #expect(found.format == "apple-csv" && found.entries.count == 2)
        #expect(found.entries[0].code?.text == uri && found.entries[0].notes?.text == "one\r\ntwo")
        #expect(found.entries[1].line == 4 && found.entries[1].code == nil)
    }

    @Test("Bitwarden's: folders, several URLs, fields, notes; a bare secret becomes a URI")
    func bitwarden() throws {
        let header =
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
        let found = try csv(
            header
                + "Work/A,1,login,Shop,n,\"PIN: 12\nlong: a\nb\",0,\"https://a.example,https://b.example/?x=1,2\",ann,pw,jbsw y3dp-ehpk3pxp==\n"
                + ",,note,Memo,text,,0,,,,\n,,card,Visa,,,0,,,,\n")
        #expect(found.format == "bitwarden-csv" && found.entries.count == 2)
        let entry = found.entries[0]
        #expect(entry.folder == "Work/A" && entry.isFavourite)
        #expect(entry.sites == ["https://a.example", "https://b.example/?x=1,2"])
        #expect(entry.fields.map(\.name) == ["PIN", "long"] && entry.fields[1].value.text == "a\nb")
        #expect(entry.code?.text == "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop")
        #expect(found.entries[1].kind == .note && found.entries[1].title == "Memo")
        #expect(found.notConverted == [NotConverted(title: "Visa", reason: .card, line: 6)])
    }

    @Test("1Password's: tags, favourites and archived entries")
    func onePassword() throws {
        let found = try csv(
            "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nA,https://a.example,ann,pw,,true,true,x;y z,\n"
        )
        #expect(found.format == "1password-csv")
        let entry = try #require(found.entries.first)
        #expect(entry.isFavourite && entry.tags == ["archived", "x", "y z"])
    }

    @Test("LastPass's: notes are marked by a URL, folders have backslashes, cards are listed")
    func lastPass() throws {
        let found = try csv(
            "url,username,password,totp,extra,name,grouping,fav\nhttps://a.example,ann,pw,,n,A,Work\\B,0\n"
                + "http://sn,,,,hello,Memo,,0\nhttp://sn,,,,NoteType:Credit Card,Visa,,0\nhttp://group,,,,,,X,0\n")
        #expect(found.format == "lastpass-csv" && found.entries.count == 2)
        #expect(found.entries[0].folder == "Work/B")
        #expect(found.entries[1].kind == .note && found.entries[1].sites.isEmpty)
        #expect(found.notConverted == [NotConverted(title: "Visa", reason: .card, line: 4)])
    }

    @Test("NordPass's: more URLs, fields as JSON, folders, cards and identities")
    func nordPass() throws {
        let found = try csv(
            "name,url,additional_urls,username,password,note,cardholdername,cardnumber,cvc,pin,expirydate,zipcode,"
                + "folder,full_name,phone_number,email,address1,address2,city,country,state,type,custom_fields\n"
                + "A,https://a.example,\"[\"\"https://b.example\"\"]\",ann,pw,n,,,,,,,F,,,,,,,,,password,"
                + "\"[{\"\"label\"\":\"\"PIN\"\",\"\"type\"\":\"\"hidden\"\",\"\"value\"\":\"\"12\"\"}]\"\n"
                + "F,,,,,,,,,,,,,,,,,,,,,folder,\nVisa,,,,,,A,1,,,,,,,,,,,,,,credit_card,\n"
                + "Me,,,,,,,,,,,,,A,,,,,,,,identity,\n")
        #expect(found.format == "nordpass-csv" && found.entries.count == 1)
        let entry = found.entries[0]
        #expect(entry.sites == ["https://a.example", "https://b.example"] && entry.folder == "F")
        #expect(entry.fields.first?.isSecret == true && entry.fields.first?.value.text == "12")
        #expect(found.notConverted.map(\.reason) == [.card, .identity])
    }

    @Test("Proton Pass's: the e-mail address is the user name where there is no other")
    func proton() throws {
        let found = try csv(
            "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault\n"
                + "login,A,\"https://a.example, https://b.example\",a@x.example,,pw,,,1700000000,1700000001,Personal\n"
                + "login,B,,a@x.example,ann,pw,,,,,Personal\nalias,C,,,,,,,,,\n")
        #expect(found.format == "proton-csv" && found.entries.count == 2)
        #expect(found.entries[0].user == "a@x.example" && found.entries[0].created == 1_700_000_000_000)
        #expect(found.entries[0].sites.count == 2 && found.entries[0].folder == "Personal")
        #expect(found.entries[1].user == "ann" && found.entries[1].fields.first?.name == "email")
        #expect(found.notConverted.map(\.reason) == [.unsupportedKind])
    }

    @Test("A comma and another address inside a URL make no second site, but in the formats that join several URLs")
    func commas() throws {
        let address = "https://shop.example/login,https://evil.example/"
        for file in [
            "name,url,username,password\nA,\"\(address)\",ann,pw\n",
            "Title,URL,Username,Password,Notes,OTPAuth\nA,\"\(address)\",ann,pw,,\n",
            "url,username,password,totp,extra,name,grouping,fav\n\"\(address)\",ann,pw,,,A,,0\n",
            "Group,Title,Username,Password,URL,Notes\n,A,ann,pw,\"\(address)\",\n",
            "Account,Login Name,Password,Web Site,Comments\nA,ann,pw,\"\(address)\",\n",
        ] {
            let found = try csv(file)
            #expect(found.entries.map(\.sites) == [[address]], "\(found.format)")
        }
        let named = try csv("\"\(address)\";ann\n", named: [.init(role: .site, column: "1")])
        #expect(named.entries.map(\.sites) == [[address]])
        let header = "type,name,url,username,password,note,totp\n"
        let joined = "https://a.example/?u=x,r=https://b.example/,https://c.example"
        let proton = try csv(header + "login,A,\"\(joined)\",ann,pw,,\n")
        #expect(proton.entries.map(\.sites) == [["https://a.example/?u=x,r=https://b.example/", "https://c.example"]])
    }

    @Test("Dashlane's: further user names are fields, and null is no code")
    func dashlane() throws {
        let found = try csv(
            "username,username2,username3,title,password,note,url,category,otp\nann,ann2,,A,pw,,https://a.example,Work,null\n"
        )
        #expect(found.format == "dashlane-csv" && found.notConverted.isEmpty)
        #expect(found.entries[0].fields.map(\.name) == ["username2"] && found.entries[0].code == nil)
    }

    @Test("KeePassXC's: groups, codes and times")
    func keePassXC() throws {
        let found = try csv(
            """
            "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
            "Root/A","T","ann","pw","https://a.example","","otpauth://totp/x?secret=AA","0","2024-01-15T10:30:00Z","2024-01-15T12:25:00+02:00"
            """)
        #expect(found.format == "keepassxc-csv")
        #expect(found.entries[0].changed == 1_705_314_600_000 && found.entries[0].created == 1_705_314_300_000)
        #expect(found.entries[0].folder == "Root/A")
    }

    @Test("Any other file by naming its columns, by header or by number; what is not named is a field")
    func named() throws {
        let columns: [CSVColumns.Named] = [.init(role: .user, column: "Login"), .init(role: .password, column: "pass")]
        let found = try csv("Login;Pass;Extra\nann;pw;x\n", named: columns)
        #expect(found.format == "csv" && found.entries[0].user == "ann" && found.entries[0].password?.text == "pw")
        #expect(found.entries[0].fields.map(\.name) == ["Extra"])
        let numbered = try csv(
            "ann\tpw\n", named: [.init(role: .user, column: "1"), .init(role: .password, column: "2")])
        #expect(numbered.entries[0].user == "ann" && numbered.entries[0].line == 1)
        #expect(throws: ConversionError(.missingColumn, at: TextPosition(line: 1, column: 1))) {
            try csv("a,b\n", named: columns)
        }
    }

    @Test("UTF-16 of either order, with and without a byte order mark, and UTF-8 with one")
    func encodings() throws {
        let text = "name,url,username,password\nÄ😀,https://a.example,ann,pä\n"
        var files: [[UInt8]] = [[0xEF, 0xBB, 0xBF] + Array(text.utf8)]
        for isBig in [true, false] {
            let units = text.utf16.flatMap { unit in
                isBig ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
            }
            files += [units, (isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]) + units]
        }
        for file in files {
            let found = try csv(file)
            #expect(found.entries.first?.title == "Ä😀" && found.entries.first?.password?.text == "pä")
        }
    }

    @Test("Another encoding is refused where it shows, and a zero byte too")
    func wrongEncodings() {
        let header = Array("name,url,username,password\nab".utf8)
        #expect(throws: ConversionError(.notText, at: TextPosition(line: 2, column: 3))) {
            try csv(header + [0xE4, 0x2C])
        }
        #expect(throws: ConversionError(.containsNUL, at: TextPosition(line: 2, column: 3))) { try csv(header + [0]) }
        #expect(throws: ConversionError(.notText, at: TextPosition(line: 1, column: 2))) {
            try csv([0xFE, 0xFF, 0, 0x61, 0xDC, 0])
        }
    }

    @Test("A line with more or fewer columns than the header, and an unrecognised header, end the import")
    func shapes() {
        #expect(throws: ConversionError(.columnCount(found: 3, expected: 4), at: TextPosition(line: 3, column: 1))) {
            try csv("name,url,username,password\na,b,c,d\na,b,c\n")
        }
        #expect(throws: ConversionError(.unknownHeader, at: TextPosition(line: 1, column: 1))) {
            try csv("one,two\n1,2\n")
        }
        #expect(throws: ConversionError(.repeatedColumn, at: TextPosition(line: 1, column: 1))) {
            try csv("name,url,username,password,password\n")
        }
    }

    @Test("What exceeds a limit is listed, and the rest is imported")
    func limits() throws {
        let long = String(repeating: "x", count: 5000)
        let found = try csv(
            "name,url,username,password,note\nA,,ann,\(long),\nB,,ann,pw,\(long)\(long)\(long)\(long)\n\(long),,c,pw,\n"
        )
        #expect(found.notConverted.map(\.what) == [.password, .notes, .field])
        #expect(found.notConverted.allSatisfy { $0.reason == .tooLong })
        #expect(found.entries.map(\.user) == ["ann", "c"] && found.entries[0].notes == nil)
        #expect(found.entries[1].title.utf8.count == 256)
    }

    @Test("Steam's codes are kept as a field, and reported")
    func steam() throws {
        let found = try csv("Title,URL,Username,Password,Notes,OTPAuth\nS,,ann,pw,,steam://AAAA\n")
        #expect(found.notConverted.map(\.what) == [.code] && found.entries[0].fields.first?.name == "otp")
    }

    @Test("Times of ISO 8601 are those of the calendar, both ways")
    func times() {
        #expect(InstantText.milliseconds("1970-01-01T00:00:01Z") == 1000)
        #expect(InstantText.milliseconds("2024-02-29T23:59:59.123Z") == 1_709_251_199_123)
        #expect(InstantText.text(1_709_251_199_123) == "2024-02-29T23:59:59.123Z")
        #expect(InstantText.text(4_102_444_800_000) == "2100-01-01T00:00:00Z")
        #expect(InstantText.milliseconds("yesterday") == nil && InstantText.milliseconds("2024-13-01T00:00:00Z") == nil)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            let time = Int64.random(in: 1...253_402_300_799, using: &generator) * 1000
            #expect(InstantText.milliseconds(InstantText.text(time)) == time)
        }
    }

    @Test("A time before 1970 or after the year 9999, which the vault does not have, is left out of its entry")
    func timesOutOfRange() throws {
        for text in ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z", "0", "-1"] {
            #expect(InstantText.milliseconds(text) == nil, "\(text)")
        }
        #expect(InstantText.milliseconds("9999-12-31T23:59:59.999Z") == 253_402_300_799_999)
        #expect(InstantText.milliseconds("9999-12-31T23:59:59-01:00") == nil)
        let found = try csv(
            "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created\n"
                + ",T,ann,pw,,,,0,0001-01-01T00:00:00Z,2024-01-15T10:30:00Z\n")
        let entry = try #require(found.entries.first)
        #expect(entry.changed == nil && entry.created == 1_705_314_600_000)
    }
}
