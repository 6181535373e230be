// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ForeignFormats

@Suite("CSV as RFC 4180 has it")
struct CSVReaderTests {
    private func records(_ text: String) throws -> [[String]] {
        try withBytes(Array(text.utf8)) { bytes throws(ConversionError) in
            var reader = CSVReader(bytes)
            var (records, fields): ([[String]], [CSVField]) = ([], [])
            while try reader.next(&fields) { records.append(fields.map(\.text)) }
            return records
        }
    }

    @Test("Quoted fields have separators, line ends and doubled quotation marks")
    func quotes() throws {
        #expect(
            try records("a,\"b,\"\"c\"\"\r\nd\",\"\"\r\n\"\"\"\",,e") == [["a", "b,\"c\"\r\nd", ""], ["\"", "", "e"]])
    }

    @Test("A line ends with LF, CR or both, and empty lines are left out")
    func lineEnds() throws {
        #expect(try records("a,b\nc,d\r\ne,f\rg,h\n\n\r\n") == [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]])
    }

    @Test("What a spreadsheet would compute is text")
    func formulas() throws {
        #expect(try records("=cmd|'/c calc'!A0,+1,-1,@x") == [["=cmd|'/c calc'!A0", "+1", "-1", "@x"]])
    }

    @Test(
        "A mistake is reported with its line and column",
        arguments: [
            ("a\n\"b", ConversionError.Problem.openQuote, 2, 1), ("a\nüb\"c", .quoteInField, 2, 3),
            ("\"a\nb\"c", .textAfterQuote, 2, 3), ("a\r\n\"b\"\"", .openQuote, 2, 1),
        ])
    func mistakes(_ text: String, _ problem: ConversionError.Problem, _ line: Int, _ column: Int) {
        #expect(throws: ConversionError(problem, at: TextPosition(line: line, column: column))) {
            try records(text)
        }
    }

    @Test("A million columns, and a field of megabytes, are refused where they begin")
    func limits() {
        #expect(throws: ConversionError(.tooManyColumns(limit: 1024), at: TextPosition(line: 1, column: 1025))) {
            try records(String(repeating: ",", count: 1_000_000))
        }
        #expect(throws: ConversionError(.fieldTooLong(limit: 1 << 20), at: TextPosition(line: 1, column: 3))) {
            try records("a,\"" + String(repeating: "x", count: (1 << 20) + 1) + "\"")
        }
    }
}
