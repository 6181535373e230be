// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory
import Testing

@testable import ForeignFormats

@Suite("Records")
struct RecordTests {
    private func entries(_ text: String) throws(ConversionError) -> [ForeignEntry] {
        var entries: [ForeignEntry] = []
        try withBytes(Array(text.utf8)) { bytes throws(ConversionError) in
            try RecordReader.read(bytes) { entry throws(ConversionError) in entries.append(entry) }
        }
        return entries
    }

    private let header = "{\"record\":\"autofill-records\",\"version\":1,\"source\":\"x\"}\n"

    @Test("What is written is read again, every member")
    func roundTrip() throws {
        var entry = fullEntry()
        entry.tags = ["a", "b"]
        entry.exactSites = ["https://www.example.org"]
        entry.urls = ["https://www.example.org"]
        entry.used = 5
        entry.line = 7
        entry.history = [.init(password: SecretBytes(utf8: "old"), replaced: 4)]
        entry.passkeys = [
            ForeignPasskey(
                credentialID: "AAAA", relyingParty: "example.com", user: "ann", displayName: "Ann", userHandle: "BBBB",
                key: SecretBytes(utf8: "CCCC"))
        ]
        var writer = JSONWriter()
        RecordWriter.header(&writer, source: "test")
        RecordWriter.write(.entry(entry), to: &writer)
        RecordWriter.write(.notConverted(NotConverted(title: "Visa", reason: .card, line: 3)), to: &writer)
        RecordWriter.end(&writer, entries: 1, notConverted: 1)
        let text = writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let read = try entries(text)
        #expect(read.count == 1 && read[0].equals(entry) && read[0].line == 7)
    }

    @Test("Records that end early, or miss one, are refused")
    func incomplete() {
        let line = "{\"record\":\"login\",\"title\":\"a\"}\n"
        let end = "{\"record\":\"end\",\"entries\":1,\"notConverted\":0}\n"
        #expect(throws: Never.self) { try entries(header + line + end) }
        #expect(throws: ConversionError(.incompleteRecords)) { try entries(header + line) }
        #expect(throws: ConversionError(.incompleteRecords, at: TextPosition(line: 2, column: 1))) {
            try entries(header + end)
        }
        #expect(throws: ConversionError(.notRecords, at: TextPosition(line: 1, column: 1))) { try entries(line + end) }
        #expect(throws: ConversionError(.notRecords, at: TextPosition(line: 4, column: 1))) {
            try entries(header + line + end + line)
        }
    }

    @Test("An unknown member is refused, since an export would lose it")
    func unknown() {
        #expect(throws: ConversionError(.json(.notAllowed), at: TextPosition(line: 2, column: 19))) {
            try entries(header + "{\"record\":\"login\",\"colour\":\"red\"}\n")
        }
    }

    @Test("More entries than the limit end the conversion")
    func tooMany() throws {
        let collector = RecordCollector { _ throws(ConversionError) in }
        let record = NotConverted(title: "", reason: .card)
        for _ in 0..<ConversionLimits.entries { collector.report(record) }
        try collector.check()
        collector.report(record)
        #expect(throws: ConversionError(.tooManyEntries(limit: ConversionLimits.entries))) { try collector.check() }
    }
}
