// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import ForeignFormats
internal import SecretMemory

/// The two directions, between descriptors.
enum Conversion {
    /// Records from a file.
    static func read(_ source: ImportSource, to descriptor: OutputDescriptor) throws(ConversionError) {
        let output = ConversionOutput { bytes throws(ConversionError) in descriptor.write(bytes) }
        let box = Box()
        try source.read { format throws(ConversionError) in
            try output.append(json: { RecordWriter.header(&$0, source: format) })
            let collector = RecordCollector { record throws(ConversionError) in
                try output.append(json: { RecordWriter.write(record, to: &$0) })
            }
            box.collector = collector
            return collector
        }
        let (entries, notConverted) = (box.collector?.entries ?? 0, box.collector?.notConverted ?? 0)
        try output.append(json: { RecordWriter.end(&$0, entries: entries, notConverted: notConverted) })
        try output.flush()
    }

    private final class Box { var collector: RecordCollector? }

    /// A file from records. What the format has no place for is a line of the report, or else counted on standard
    /// error.
    static func write(
        _ records: borrowing SecretBuffer, as format: ExportFormat, _ password: SecretBytes?, _ now: Int64,
        to descriptor: OutputDescriptor, _ report: OutputDescriptor?
    ) throws(ConversionError) {
        let output = ConversionOutput { bytes throws(ConversionError) in descriptor.write(bytes) }
        let reportOutput = report.map { report in
            ConversionOutput { bytes throws(ConversionError) in report.write(bytes) }
        }
        var missing: [NotConverted] = []
        var count = 0
        try records.withUnsafeBytes { bytes throws(ConversionError) in
            try format.write(bytes, password: password, now: now, to: output) { record in
                count += 1
                if reportOutput != nil { missing.append(record) }
            }
        }
        for record in missing {
            try reportOutput?.append(json: { RecordWriter.write(.notConverted(record), to: &$0) })
        }
        try reportOutput?.flush()
        if count > 0, report == nil { Descriptors.printError("\(count) values have no place in this format") }
    }

    /// A QR code of a text.
    static func draw(_ text: SecretBytes, to descriptor: OutputDescriptor) throws(ConversionError) {
        try QRCode(text).write(
            to: ConversionOutput { bytes throws(ConversionError) in descriptor.write(bytes) })
    }
}
