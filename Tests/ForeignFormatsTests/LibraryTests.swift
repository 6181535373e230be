// SPDX-License-Identifier: Apache-2.0
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import ForeignFormats

@Suite(
    "Protected exports, archives and XML", .blocking, .timeLimit(.minutes(5)),
    .enabled("built without the trait ForeignLibraries") { ForeignLibraries.areAvailable })
struct LibraryTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Bitwarden's protected export is read again with its password alone")
    func protectedRoundTrip() throws {
        let (file, missing) = try write([fullEntry()], as: .bitwardenProtected, password: "päss")
        let found = try read(file, password: "päss")
        #expect(missing.isEmpty && found.format == "bitwarden-json-protected" && found.holds([fullEntry()]))
        #expect(throws: ConversionError(.wrongPassword)) { try read(file, password: "pass") }
        #expect(throws: ConversionError(.passwordMissing)) { try read(file) }
        #expect(!String(decoding: file, as: UTF8.self).contains("ann@example.com"))
    }

    /// Made with Python's hashlib and pycryptodome, by Bitwarden's description.
    @Test(
        "One with PBKDF2, which another program has made",
        .enabled("python3-pycryptodome is not installed") {
            ProgramRun.succeeds("/usr/bin/python3 -c 'import Cryptodome'")
        })
    func protectedByAnother() throws {
        let script = """
            import base64, hashlib, hmac, json, os
            from Cryptodome.Cipher import AES
            salt = base64.b64encode(os.urandom(16)).decode()
            key = hashlib.pbkdf2_hmac('sha256', b'pass', salt.encode(), 100000)
            expand = lambda info: hmac.new(key, info + b'\\1', 'sha256').digest()
            enc, mac = expand(b'enc'), expand(b'mac')
            def seal(text):
                iv = os.urandom(16)
                pad = 16 - len(text) % 16
                ct = AES.new(enc, AES.MODE_CBC, iv).encrypt(text + bytes([pad]) * pad)
                parts = [iv, ct, hmac.new(mac, iv + ct, 'sha256').digest()]
                return '2.' + '|'.join(base64.b64encode(p).decode() for p in parts)
            inner = json.dumps({'encrypted': False, 'folders': [], 'items': [
                {'type': 1, 'name': 'Shop', 'login': {'username': 'ann', 'password': 'p\\u20ac'}}]}).encode()
            print(json.dumps({'encrypted': True, 'passwordProtected': True, 'salt': salt, 'kdfType': 0,
                'kdfIterations': 100000, 'kdfMemory': None, 'kdfParallelism': None,
                'encKeyValidation_DO_NOT_EDIT': seal(b'check'), 'data': seal(inner)}))
            """
        let run = try ProgramRun("/usr/bin/python3", ["-c", script], in: directory)
        try #require(run.status == 0, "\(run.errors)")
        let found = try read(run.output, password: "pass")
        #expect(found.entries.first?.user == "ann" && found.entries.first?.password?.text == "p€")
    }

    @Test("A derivation that costs too much, and one that does not exist, are refused before anything is derived")
    func costly() {
        func file(_ derivation: String) -> String {
            #"{"encrypted":true,"passwordProtected":true,"salt":"c2FsdHNhbHQ=",\#(derivation),"#
                + #""encKeyValidation_DO_NOT_EDIT":"2.AA==|AA==|AA==","data":"2.AA==|AA==|AA=="}"#
        }
        for derivation in [
            #""kdfType":0,"kdfIterations":9007199254740991"#, #""kdfType":0,"kdfIterations":0"#,
            #""kdfType":0,"kdfIterations":-1"#,
            #""kdfType":1,"kdfIterations":3,"kdfMemory":1048576,"kdfParallelism":4"#,
            #""kdfType":1,"kdfIterations":3,"kdfMemory":9007199254740991,"kdfParallelism":4"#,
            #""kdfType":1,"kdfIterations":1000000,"kdfMemory":64,"kdfParallelism":4"#,
        ] {
            #expect(throws: ConversionError(.derivationTooCostly)) { try read(file(derivation), password: "a") }
        }
        #expect(throws: ConversionError(.unsupportedDerivation)) {
            try read(file(#""kdfType":2,"kdfIterations":3"#), password: "a")
        }
    }

    /// A zip file with these files, made by Python.
    private func zip(_ files: [String: String]) throws -> [UInt8] {
        let path = directory.path + "/a.zip"
        let script = """
            import json, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
                for name, text in json.loads(sys.stdin.read()).items(): z.writestr(name, text)
            """
        let json = try JSONSerialization.data(withJSONObject: files)
        let run = try ProgramRun("/usr/bin/python3", ["-c", script, path], input: Array(json), in: directory)
        try #require(run.status == 0, "\(run.errors)")
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test("1PUX: logins, notes and servers are entries; cards, identities and documents are listed")
    func onePUX() throws {
        let data = #"""
            {"accounts":[{"attrs":{},"vaults":[{"attrs":{"name":"Private"},"items":[
              {"uuid":"1","favIndex":1,"createdAt":1700000000,"updatedAt":1700000001,"state":"active","categoryUuid":"001",
               "details":{"loginFields":[
                 {"value":"ann","name":"username","fieldType":"T","designation":"username"},
                 {"value":"pw","name":"password","fieldType":"P","designation":"password"}],
                "notesPlain":"n","passwordHistory":[{"value":"old","time":1600000000}],
                "sections":[{"title":"S","fields":[
                  {"title":"one-time password","id":"TOTP","value":{"totp":"JBSWY3DPEHPK3PXP"}},
                  {"title":"PIN","id":"p","value":{"concealed":"12"}},
                  {"title":"mail","id":"m","value":{"email":{"email_address":"a@x.example","provider":null}}},
                  {"title":"doc","id":"d","value":{"file":{"fileName":"a.txt"}}}]}]},
               "overview":{"title":"Shop","url":"https://a.example","urls":[{"label":"","url":"https://a.example"},
                {"label":"","url":"https://b.example"}],"tags":["t"]}},
              {"uuid":"2","favIndex":0,"createdAt":1,"updatedAt":1,"categoryUuid":"003","details":{"notesPlain":"m"},
               "overview":{"title":"Memo"}},
              {"uuid":"3","categoryUuid":"002","details":{},"overview":{"title":"Visa"}},
              {"item":{"uuid":"4","categoryUuid":"004","details":{},"overview":{"title":"Me"}}}]}]}]}
            """#
        let found = try read(try zip(["export.attributes": "{}", "export.data": data]))
        #expect(found.format == "1pux" && found.entries.count == 2)
        let entry = found.entries[0]
        #expect(entry.user == "ann" && entry.password?.text == "pw" && entry.folder == "Private" && entry.isFavourite)
        #expect(entry.sites == ["https://a.example", "https://b.example"] && entry.tags == ["t"])
        #expect(entry.fields.map(\.name) == ["PIN", "mail"] && entry.fields.map(\.isSecret) == [true, false])
        #expect(entry.history.first?.replaced == 1_600_000_000_000)
        #expect(entry.code?.text == "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop")
        #expect(found.entries[1].kind == .note)
        #expect(found.notConverted.map(\.reason) == [.attachment, .card, .identity])
    }

    @Test("Bitwarden's archive: the attachments are listed")
    func bitwardenArchive() throws {
        let json = #"{"encrypted":false,"items":[{"type":1,"name":"A","login":{"username":"ann"}}]}"#
        let found = try read(try zip(["data.json": json, "attachments/1/scan.pdf": "x"]))
        #expect(found.entries.map(\.user) == ["ann"])
        #expect(found.notConverted == [NotConverted(title: "scan.pdf", what: .attachment, reason: .attachment)])
    }

    @Test("Archives that are damaged, of another kind, or a bomb are refused")
    func hostileArchives() throws {
        #expect(throws: ConversionError(.notAnExport)) { try read(try zip(["a": "b"])) }
        let good = try zip(["export.data": String(repeating: "{}", count: 1000)])
        for length in [4, 30, good.count / 2, good.count - 10] {
            #expect(throws: ConversionError.self) { try read(Array(good.prefix(length))) }
        }
        let path = directory.path + "/bomb.zip"
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
                with z.open('export.data', 'w') as f:
                    for _ in range(300): f.write(bytes(1 << 20))
            """
        let run = try ProgramRun("/usr/bin/python3", ["-c", script, path], in: directory)
        try #require(run.status == 0, "\(run.errors)")
        let refused = try ProgramRun.convert(
            ["import"], input: Array(Data(contentsOf: URL(filePath: path))), in: directory)
        let limit = ConversionError(.decompressedTooLarge(limit: ConversionLimits.decompressedBytes))
        #expect(refused.status == 65 && refused.errors == "autofill-convert: \(limit)\n", "\(refused.errors)")
    }

    private final class Counter: XMLHandler {
        var failure: ConversionError?
        var text: [UInt8] = []
        func start(_ name: String, _ attributes: [String: String]) {}
        func end(_ name: String) {}
        func text(_ bytes: UnsafeRawBufferPointer) { text += Array(bytes) }
    }

    private func xml(_ text: String) throws(ConversionError) -> String {
        let counter = Counter()
        try withBytes(Array(text.utf8)) { bytes throws(ConversionError) in try XMLReader.read(bytes, counter) }
        return String(decoding: counter.text, as: UTF8.self)
    }

    @Test("XML: declared entities, external ones, mistakes and depth are refused where they are")
    func hostileXML() throws {
        #expect(try xml("<a>x&amp;<b/>y</a>") == "x&y")
        let laughs = "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>"
        #expect(throws: ConversionError(.entityDeclared, at: TextPosition(line: 1, column: 13))) { try xml(laughs) }
        #expect(throws: ConversionError(.entityDeclared, at: TextPosition(line: 1, column: 40))) {
            try xml("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a>x</a>")
        }
        #expect(throws: ConversionError(.xml, at: TextPosition(line: 2, column: 3))) { try xml("<a>\n</b></a>") }
        #expect(throws: ConversionError(.xml, at: TextPosition(line: 1, column: 4))) { try xml("<a>&unknown;</a>") }
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: ConversionError(.tooDeep(limit: 64), at: TextPosition(line: 1, column: 193))) { try xml(deep) }
    }

    @Test("A gzip bomb is refused, and so is what is cut short")
    func bombs() throws {
        let bomb = try ProgramRun(
            "/bin/sh", ["-c", "head -c 300000000 /dev/zero | gzip -9"], in: directory)
        func decompress(_ bytes: [UInt8]) throws(ConversionError) -> Int {
            try withBytes(bytes) { bytes throws(ConversionError) in
                try Compression.withDecompressed(bytes) { plain throws(ConversionError) in plain.count }
            }
        }
        let limit = ConversionLimits.decompressedBytes
        #expect(throws: ConversionError(.decompressedTooLarge(limit: limit))) { try decompress(bomb.output) }
        let packed = try withBytes([UInt8](repeating: 7, count: 100_000)) { bytes throws(ConversionError) in
            let compressor = try Compressor()
            // In pieces, as the writer does.
            for start in stride(from: 0, to: bytes.count, by: 30_000) {
                let end = min(start + 30_000, bytes.count)
                try compressor.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            return try compressor.end { bytes throws(ConversionError) in SecretBytes(copying: bytes) }
        }
        #expect(try decompress(HeaderBytes.array(packed)) == 100_000)
        #expect(throws: ConversionError(.damaged)) { try decompress(Array(HeaderBytes.array(packed).dropLast(20))) }
    }

    @Test("AES rounds, PBKDF2, HMAC and hashes are those of the standards")
    func vectors() throws {
        func hex(_ secret: SecretBytes) -> String {
            HeaderBytes.array(secret).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let abc = SecretBytes(utf8: "abc")
        #expect(
            try hex(Digest.sha256([SecretBytes(utf8: "a"), SecretBytes(utf8: "bc")]))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try hex(Digest.sha512([abc])).hasPrefix("ddaf35a193617abacc417349ae204131"))
        // RFC 4231, case 2.
        #expect(
            try hex(Digest.hmac(key: SecretBytes(utf8: "Jefe"), [SecretBytes(utf8: "what do ya want for nothing?")]))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        // RFC 7914, section 11.
        #expect(
            try hex(
                KeyDerivation.pbkdf2(salt: SecretBytes(utf8: "salt"), iterations: 1).key(SecretBytes(utf8: "passwd"))
            ).hasPrefix("55ac046e56e3089fec1691c22544b605"))
        // FIPS 197, C.3, once for each half.
        let key = SecretBytes(copying: 0...31, count: 32)
        let plain = (0..<16).map { UInt8($0 * 17) }
        let rounds = try KeyDerivation.aes(seed: key, rounds: 1).key(SecretBytes(copying: plain + plain, count: 32))
        let expected = "8ea2b7ca516745bfeafc49904b496089"
        let block = try #require(BinaryText.bytes(hexadecimal: (expected + expected).utf8))
        #expect(try rounds.equals(Digest.sha256([SecretBytes(copying: block, count: 32)])))
    }
}
