// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import ForeignFormats
import SecretMemory

/// Files of other programs: what is accepted becomes records that are read again unchanged, and is the same after an
/// export; a refusal has a text and a position in the file.
enum ForeignTarget {
    static let tables = [
        "name,url,username,password,note\nShop,https://a.example,ann,\"p,\"\"w\",n\n",
        "\u{FEFF}Title;URL;Username;Password;Notes;OTPAuth\r\nA;;ann;pw;\"a\r\nb\";otpauth://totp/a?secret=AA\r\n",
        "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
            + "F,1,login,A,n,\"PIN: 1\nb\",0,\"a.example,b.example\",ann,pw,JBSWY3DP\n,,card,Visa,,,0,,,,\n",
        "url,username,password,totp,extra,name,grouping,fav\nhttp://sn,,,,NoteType:Credit Card,Visa,A\\B,0\n",
    ].map { Array($0.utf8) }

    static let documents = [
        """
        {"encrypted":false,"folders":[{"id":"f","name":"F"}],"items":[{"folderId":"f","type":1,"name":"A","notes":null,
        "fields":[{"name":"x","value":"y","type":1}],"passwordHistory":[{"lastUsedDate":"2024-01-15T10:30:00Z",
        "password":"o"}],"login":{"uris":[{"uri":"https://a.example"}],"username":"ann","password":"p","totp":"AAAA"}},
        {"type":2,"name":"N","notes":"n"},{"type":3,"name":"V"}]}
        """,
        """
        {"version":{"major":1,"minor":0},"exporterRpId":"x","accounts":[{"id":"A","collections":[{"id":"C","title":"F",
        "items":[{"item":"I"}]}],"items":[{"id":"I","title":"S","creationAt":1700000000,"scope":{"urls":["https://a"]},
        "credentials":[{"type":"basic-auth","username":{"value":"ann"},"password":{"value":"p"}},{"type":"totp",
        "secret":"AAAA","digits":6,"period":30,"algorithm":"sha1"},{"type":"note","content":{"value":"n"}},
        {"type":"wifi"}]}]}]}
        """,
        """
        <KeePassFile><Meta/><Root><Group><UUID>AA==</UUID><Name>R</Name><Entry><Tags>a;b</Tags><Times><CreationTime>
        2024-01-15T10:30:00Z</CreationTime></Times><String><Key>Title</Key><Value>T</Value></String><String><Key>Password
        </Key><Value Protected="True">cHc=</Value></String><String><Key>TOTP Seed</Key><Value>AAAA</Value></String>
        <History><Entry/></History></Entry></Group></Root></KeePassFile>
        """,
    ].map { Array($0.utf8) }

    /// `isText`: positions are those of the file itself.
    ///
    /// - Returns: how many entries the file has.
    @discardableResult
    static func run(
        _ input: [UInt8], password: SecretBytes? = nil, keyFile: SecretBytes? = nil, isText: Bool = true
    ) throws -> Int {
        let kept = Kept()
        do {
            try input.withExactMemory { file in
                let source = ImportSource(file, password: password, keyFile: keyFile)
                try source.read { _ throws(ConversionError) in
                    RecordCollector { record throws(ConversionError) in kept.records.append(record) }
                }
            }
        } catch let error as ConversionError {
            try require(!error.problem.message.isEmpty, "a refusal without a text")
            if let position = error.position {
                let isWithin = !isText || position.line <= input.count + 1
                try require(
                    isWithin && position.line >= 1 && position.column >= 1,
                    "refused at \(position) of \(input.count) bytes")
            }
        }
        let entries = kept.records.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
        try holdRecords(entries)
        return entries.count
    }

    static var readsContainers: Bool { ForeignLibraries.areAvailable }

    private final class Kept { var records: [ForeignRecord] = [] }

    private static func holdRecords(_ entries: [ForeignEntry]) throws {
        var writer = JSONWriter()
        RecordWriter.header(&writer, source: "fuzz")
        for entry in entries { RecordWriter.write(.entry(entry), to: &writer) }
        RecordWriter.end(&writer, entries: entries.count, notConverted: 0)
        let records = writer.withUnsafeBytes { Array($0) }
        var read: [ForeignEntry] = []
        try records.withExactMemory { bytes in
            try RecordReader.read(bytes) { entry throws(ConversionError) in read.append(entry) }
            for format in [ExportFormat.bitwardenJSON, .cxf, .chromeCSV, .appleCSV] {
                let output = ConversionOutput { _ throws(ConversionError) in }
                try format.write(bytes, password: nil, now: 0, to: output) { _ in }
            }
        }
        try require(read.elementsEqual(entries) { $0.equals($1) }, "other entries are read than were written")
    }
}
