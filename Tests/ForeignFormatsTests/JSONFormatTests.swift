// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory
import Testing

@testable import ForeignFormats

@Suite("JSON of Bitwarden and of the Credential Exchange Format")
struct JSONFormatTests {
    @Test("Bitwarden's: logins, notes, folders, history and passkeys; cards and what is in the trash are listed")
    func bitwarden() throws {
        let found = try read(
            #"""
            {"encrypted": false,
             "folders": [{"id": "f1", "name": "Work/A"}],
             "items": [
              {"id": "1", "folderId": "f1", "type": 1, "name": "Shop", "notes": null, "favorite": true,
               "fields": [{"name": "PIN", "value": "12", "type": 1}, {"name": "x", "value": null, "type": 3}],
               "passwordHistory": [{"lastUsedDate": "2024-01-15T10:30:00.000Z", "password": "old"}],
               "creationDate": "2024-01-15T10:30:00.123Z",
               "login": {"uris": [{"match": null, "uri": "https://a.example"}], "username": "ann", "password": "pw",
                "totp": "jbsw y3dp ehpk 3pxp",
                "fido2Credentials": [{"credentialId": "00010203-0405-0607-0809-0a0b0c0d0e0f", "keyValue": "KEY",
                 "rpId": "a.example", "userHandle": "UH", "userName": "ann", "counter": "0"}]}},
              {"type": 2, "name": "Memo", "notes": "text", "secureNote": {"type": 0}},
              {"type": 3, "name": "Visa"}, {"type": 4, "name": "Me"}, {"type": 5, "name": "Key"},
              {"type": 1, "name": "Gone", "deletedDate": "2024-01-15T10:30:00.000Z"}]}
            """#)
        #expect(found.format == "bitwarden-json" && found.entries.count == 2)
        let entry = found.entries[0]
        #expect(
            entry.folder == "Work/A" && entry.isFavourite && entry.line == 4 && entry.sites == ["https://a.example"])
        #expect(entry.fields.map(\.isSecret) == [true] && entry.created == 1_705_314_600_123)
        #expect(entry.history.first?.replaced == 1_705_314_600_000)
        #expect(entry.passkeys.first?.credentialID == "AAECAwQFBgcICQoLDA0ODw")
        #expect(entry.code?.text == "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop")
        #expect(found.entries[1].kind == .note && found.entries[1].notes?.text == "text")
        #expect(found.notConverted.map(\.reason) == [.card, .identity, .sshKey, .deleted])
        #expect(found.notConverted.first?.line == 13)
    }

    @Test("A URI that Bitwarden matches by its host is exact; one that it never fills, and an expression, are fields")
    func matches() throws {
        let uris = [
            ("null", "https://a.example"), ("0", "https://b.example"), ("1", "https://c.example"),
            ("2", "https://d.example/login"), ("3", "https://e.example/"), ("4", "https://f.example/.*"),
            ("5", "https://g.example"),
        ]
        let list = uris.map { "{\"match\":\($0),\"uri\":\"\($1)\"}" }.joined(separator: ",")
        let found = try read(
            "{\"encrypted\":false,\"items\":[{\"type\":1,\"name\":\"A\","
                + "\"login\":{\"uris\":[\(list)],\"username\":\"ann\",\"password\":\"pw\"}}]}")
        let entry = try #require(found.entries.first)
        #expect(entry.sites == uris[..<5].map { $0.1 } && entry.exactSites == uris[2..<5].map { $0.1 })
        #expect(entry.fields.map(\.name) == ["site", "site"])
        #expect(entry.fields.map { $0.value.text } == ["https://f.example/.*", "https://g.example"])
        let report = NotConverted(title: "A", what: .site, reason: .unsupportedKind, line: 1)
        #expect(found.notConverted == [report, report])
        #expect(try read(write([entry], as: .bitwardenJSON).file).holds([entry]), "after an export")
    }

    @Test("An export with the key of the account, and an unrecognised file, are refused")
    func refusals() {
        #expect(throws: ConversionError(.accountEncrypted)) { try read(#"{"encrypted":true,"items":[]}"#) }
        #expect(throws: ConversionError(.unrecognised)) { try read(#"{"a":1}"#) }
        #expect(throws: ConversionError(.json(.endedEarly), at: TextPosition(line: 2, column: 5))) {
            try read("{\"encrypted\":false,\n\"a\":")
        }
        #expect(throws: ConversionError(.json(.tooDeep(limit: 64)), at: TextPosition(line: 1, column: 69))) {
            try read("{\"a\":" + String(repeating: "[", count: 100_000))
        }
        #expect(throws: ConversionError(.empty)) { try read("") }
    }

    @Test("CXF: every kind of credential is an entry, a field, or listed")
    func cxf() throws {
        let found = try read(
            #"""
            {"version":{"major":1,"minor":0},"exporterRpId":"x.example","exporterDisplayName":"X","timestamp":1700000000,
            "accounts":[{"id":"AA","username":"","email":"",
             "collections":[{"id":"C1","title":"Work","items":[],"subCollections":[
               {"id":"C2","title":"Shops","items":[{"item":"I1"}]}]}],
             "items":[
              {"id":"I1","creationAt":1700000000,"modifiedAt":1700000001,"title":"Shop","favorite":true,"tags":["t"],
               "scope":{"urls":["https://a.example"],"androidApps":[]},
               "credentials":[
                {"type":"basic-auth","username":{"fieldType":"string","value":"ann"},
                 "password":{"fieldType":"concealed-string","value":"pw"}},
                {"type":"basic-auth","username":{"fieldType":"string","value":"bob"}},
                {"type":"totp","secret":"JBSWY3DPEHPK3PXP","period":60,"digits":8,"username":"ann","algorithm":"sha256",
                 "issuer":"Shop"},
                {"type":"passkey","credentialId":"AAEC","rpId":"a.example","username":"ann","userDisplayName":"Ann",
                 "userHandle":"UH","key":"KEY"},
                {"type":"note","content":{"fieldType":"string","value":"n"}},
                {"type":"custom-fields","fields":[{"fieldType":"concealed-string","value":"12","label":"PIN"}]},
                {"type":"credit-card","number":{"fieldType":"concealed-string","value":"1"}}]},
              {"id":"I2","title":"Memo","credentials":[{"type":"note","content":{"fieldType":"string","value":"m"}}]},
              {"id":"I3","title":"Wi-Fi","credentials":[{"type":"wifi"}]}]}]}
            """#)
        #expect(found.format == "cxf" && found.entries.count == 3)
        let entry = found.entries[0]
        #expect(entry.folder == "Work/Shops" && entry.user == "ann" && entry.tags == ["t"] && entry.isFavourite)
        #expect(
            entry.code?.text
                == "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop&algorithm=SHA256&digits=8&period=60")
        #expect(entry.passkeys.first?.displayName == "Ann" && entry.fields.first?.isSecret == true)
        #expect(found.entries[1].user == "bob" && found.entries[2].kind == .note)
        #expect(found.notConverted.map(\.reason) == [.card, .wifi])
        #expect(throws: ConversionError(.unsupportedVersion)) {
            try read(#"{"version":{"major":2,"minor":0},"exporterRpId":"x","accounts":[]}"#)
        }
    }

    @Test(
        "What is exported and imported again is the same, to the last byte",
        arguments: [ExportFormat.bitwardenJSON, .cxf])
    func roundTrip(_ format: ExportFormat) throws {
        var note = ForeignEntry(.note)
        note.title = "Memo"
        note.notes = SecretBytes(utf8: "line\r\nline")
        let entries = [fullEntry(), note]
        let (file, missing) = try write(entries, as: format)
        let found = try read(file)
        #expect(missing.isEmpty && found.notConverted.isEmpty && found.format == format.rawValue)
        #expect(found.holds(entries), "\(found.entries)")
    }

    @Test("Passkeys and former passwords survive Bitwarden's JSON")
    func passkeys() throws {
        var entry = fullEntry()
        entry.history = [.init(password: SecretBytes(utf8: "old"), replaced: 1_600_000_000_500)]
        entry.passkeys = ["AAECAwQFBgcICQoLDA0ODw", "AAEC"].map { id in
            ForeignPasskey(
                credentialID: id, relyingParty: "a.example", user: "ann", displayName: "Ann", userHandle: "UH",
                key: SecretBytes(utf8: "KEY"))
        }
        #expect(try read(write([entry], as: .bitwardenJSON).file).holds([entry]))
        entry.tags = ["t"]
        #expect(try write([entry], as: .bitwardenJSON).missing.map(\.what) == [.tag])
        #expect(try write([entry], as: .cxf).missing.map(\.what) == [.history])
    }

    @Test("CSV for Chrome and for Apple: the same again, and what has no place is listed")
    func csvRoundTrip() throws {
        var entry = ForeignEntry()
        let full = fullEntry()
        (entry.title, entry.sites, entry.user) = (full.title, ["https://shop.example/?a=1&b=2"], full.user)
        (entry.password, entry.notes, entry.code) = (full.password, full.notes, full.code)
        let apple = try write([entry], as: .appleCSV)
        #expect(try apple.missing.isEmpty && read(apple.file).holds([entry]))
        let chrome = try write([entry], as: .chromeCSV)
        #expect(chrome.missing.map(\.what) == [.code])
        entry.code = nil
        #expect(try read(chrome.file).holds([entry]))
        let two = try write([full], as: .chromeCSV)
        #expect(two.missing.map(\.what) == [.folder, .field, .code])
        #expect(try read(two.file).entries.map(\.sites) == full.sites.map { [$0] })
    }
}
