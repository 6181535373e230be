// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Reads the CSV file of a browser or a password manager.
package enum CSVImport {
    /// Passes all entries to `begin`'s collector, which gets the name of the format before the first one.
    package static func read(
        _ file: UnsafeRawBufferPointer, named: [CSVColumns.Named] = [],
        _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try SourceText.read(file) { text throws(ConversionError) in
            let (separator, columns) = try recognise(text, named)
            let collector = try begin(columns.format.name)
            var reader = CSVReader(text, separator: separator)
            var fields: [CSVField] = []
            if columns.hasHeader { _ = try reader.next(&fields) }
            while try reader.next(&fields) {
                guard fields.count == columns.roles.count else {
                    let position = TextPosition(line: reader.line, column: 1)
                    throw ConversionError(
                        .columnCount(found: fields.count, expected: columns.roles.count), at: position)
                }
                CSVRow(line: reader.line, fields: fields, columns: columns).pass(to: collector)
                try collector.check()
            }
        }
    }

    /// The separator with which the header is of a format, or has the columns that were named: a comma, or what
    /// spreadsheets write in its place.
    private static func recognise(
        _ text: UnsafeRawBufferPointer, _ named: [CSVColumns.Named]
    ) throws(ConversionError) -> (separator: UInt8, CSVColumns) {
        var first: ConversionError?
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            var reader = CSVReader(text, separator: separator)
            var fields: [CSVField] = []
            do throws(ConversionError) {
                guard try reader.next(&fields) else { throw ConversionError(.empty) }
                do throws(ConversionError.Problem) { return (separator, try CSVColumns(fields, named)) } catch {
                    throw ConversionError(error, at: TextPosition(line: reader.line, column: 1))
                }
            } catch {
                first = first ?? error
            }
        }
        throw first ?? ConversionError(.unknownHeader)
    }
}
