// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A format that can be written.
package enum ExportFormat: String, CaseIterable, Sendable {
    case chromeCSV = "chrome-csv"
    case appleCSV = "apple-csv"
    case bitwardenJSON = "bitwarden-json"
    case bitwardenProtected = "bitwarden-json-protected"
    case cxf
    case keePass = "kdbx"

    /// Writes the entries of `records`; `report` gets what the format has no place for.
    package func write(
        _ records: UnsafeRawBufferPointer, password: SecretBytes?, now: Int64, to output: ConversionOutput,
        _ report: (NotConverted) -> Void
    ) throws(ConversionError) {
        let writer = try writer(password, now, output)
        try writer.begin()
        try RecordReader.readLines(records) { entry, record throws(ConversionError) in
            try writer.add(entry, record) { what in
                report(NotConverted(title: entry.title, what: what, reason: .notInFormat, line: entry.line))
            }
        }
        try writer.end()
    }

    private func writer(
        _ password: SecretBytes?, _ now: Int64, _ output: ConversionOutput
    ) throws(ConversionError) -> any ForeignWriter {
        switch self {
        case .chromeCSV: return CSVWriter(.chrome, output)
        case .appleCSV: return CSVWriter(.apple, output)
        case .bitwardenJSON: return BitwardenWriter(output)
        case .cxf: return CXFWriter(output, now: now)
        case .bitwardenProtected, .keePass:
            guard let password, password.count > 0 else { throw ConversionError(.passwordMissing) }
            return self == .keePass
                ? try KeePassWriter(output, password: password)
                : try BitwardenProtectedWriter(output, password: password)
        }
    }
}
