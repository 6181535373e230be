// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

@testable import ForeignFormats

/// What a file contains, in the order of the file.
struct Found {
    var format = ""
    var entries: [ForeignEntry] = []
    var notConverted: [NotConverted] = []

    mutating func take(_ record: ForeignRecord) {
        switch record {
        case .entry(let entry): entries.append(entry)
        case .notConverted(let record): notConverted.append(record)
        }
    }
}

func csv(_ text: String, named: [CSVColumns.Named] = []) throws(ConversionError) -> Found {
    try csv(Array(text.utf8), named: named)
}

func csv(_ bytes: [UInt8], named: [CSVColumns.Named] = []) throws(ConversionError) -> Found {
    try found { begin throws(ConversionError) in
        try withBytes(bytes) { file throws(ConversionError) in try CSVImport.read(file, named: named, begin) }
    }
}

/// All that `read` passes to the collector that it gets.
func found(
    _ read: ((String) throws(ConversionError) -> RecordCollector) throws(ConversionError) -> Void
) throws(ConversionError) -> Found {
    let box = FoundBox()
    try read { format throws(ConversionError) in
        box.found.format = format
        return RecordCollector { record throws(ConversionError) in box.found.take(record) }
    }
    return box.found
}

private final class FoundBox { var found = Found() }

func withBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Result
) throws(ConversionError) -> Result {
    let secret = SecretBytes(copying: bytes, count: bytes.count)
    return try secret.withUnsafeBytes { memory throws(ConversionError) in try body(memory) }
}

extension SecretBytes {
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

/// What `text` contains, in the format that its content has.
func read(_ text: String, password: String? = nil) throws(ConversionError) -> Found {
    try read(Array(text.utf8), password: password)
}

func read(_ bytes: [UInt8], password: String? = nil, keyFile: [UInt8]? = nil) throws(ConversionError) -> Found {
    try found { begin throws(ConversionError) in
        try withBytes(bytes) { file throws(ConversionError) in
            let source = ImportSource(
                file, password: password.map { SecretBytes(utf8: $0) },
                keyFile: keyFile.map { SecretBytes(copying: $0, count: $0.count) })
            try source.read(begin)
        }
    }
}

/// The file of a format, from entries by way of records; and what has no place in it.
func write(
    _ entries: [ForeignEntry], as format: ExportFormat, password: String? = nil
) throws(ConversionError) -> (file: [UInt8], missing: [NotConverted]) {
    var writer = JSONWriter()
    RecordWriter.header(&writer, source: "test")
    for entry in entries { RecordWriter.write(.entry(entry), to: &writer) }
    RecordWriter.end(&writer, entries: entries.count, notConverted: 0)
    let file = FileBox()
    let output = ConversionOutput { bytes throws(ConversionError) in file.bytes += Array(bytes) }
    let records = writer.withUnsafeBytes { Array($0) }
    var missing: [NotConverted] = []
    try withBytes(records) { bytes throws(ConversionError) in
        try format.write(
            bytes, password: password.map { SecretBytes(utf8: $0) }, now: 1_700_000_000_000, to: output
        ) { missing.append($0) }
    }
    return (file.bytes, missing)
}

private final class FileBox { var bytes: [UInt8] = [] }

/// An entry with a value in each member that the formats have a place for.
func fullEntry() -> ForeignEntry {
    var entry = ForeignEntry()
    entry.title = "Shop \"Ä\", <&>"
    entry.sites = ["https://shop.example/?a=1&b=2", "https://www.example.org"]
    entry.user = "ann@example.com"
    entry.password = SecretBytes(utf8: "=cmd|'/c',\"\\\n€\u{1}")
    entry.notes = SecretBytes(utf8: "one\n two ")
    entry.code = SecretBytes(utf8: "otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop")
    entry.folder = "Work/Shops"
    entry.isFavourite = true
    entry.fields = [
        .init(name: "PIN", value: SecretBytes(utf8: "0012"), isSecret: true),
        .init(name: "Branch", value: SecretBytes(utf8: "North"), isSecret: false),
    ]
    entry.created = 1_600_000_000_000
    entry.changed = 1_700_000_000_000
    return entry
}

extension Found {
    /// The entries without their lines equal those.
    func holds(_ expected: [ForeignEntry]) -> Bool { entries.elementsEqual(expected) { $0.equals($1) } }
}
