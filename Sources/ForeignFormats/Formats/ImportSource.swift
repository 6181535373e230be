// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import SecretMemory

/// A file to import, and what opens it.
package struct ImportSource {
    package let file: UnsafeRawBufferPointer
    package var password: SecretBytes?
    package var keyFile: SecretBytes?
    /// Of a CSV file whose columns the user names.
    package var columns: [CSVColumns.Named]

    package init(
        _ file: UnsafeRawBufferPointer, password: SecretBytes? = nil, keyFile: SecretBytes? = nil,
        columns: [CSVColumns.Named] = []
    ) {
        self.file = file
        self.password = password
        self.keyFile = keyFile
        self.columns = columns
    }

    private enum Kind { case csv, bitwarden, cxf, keePass, keePassXML, wallet, archive, chromium, firefox, pass }

    /// Reads the file in the format that its content has. `begin` gets the name of the format, and returns what receives
    /// the entries.
    package func read(
        _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        guard !file.isEmpty else { throw ConversionError(.empty) }
        switch try kind {
        case .csv: try CSVImport.read(file, named: columns, begin)
        case .bitwarden: try BitwardenImport.read(file, password: password, begin)
        case .cxf: try CXFImport.read(file, begin)
        case .keePass: try KeePassImport.read(self, begin)
        case .keePassXML: try KeePassImport.readXML(file, begin)
        case .wallet: try readText { text throws(ConversionError) in try WalletImport.read(text, begin) }
        case .pass: try readText { text throws(ConversionError) in try PassImport.read(text, begin) }
        case .chromium: try ChromiumImport.read(self, begin)
        case .firefox: try FirefoxImport.read(self, begin)
        case .archive: try ArchiveImport.read(file, begin)
        }
    }

    private func readText(
        _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        try SourceText.read(file) { text throws(ConversionError) in try body(text) }
    }

    private var kind: Kind {
        get throws(ConversionError) {
            if !columns.isEmpty { return .csv }
            if file.starts(with: KeePassHeader.signature) { return .keePass }
            if file.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return .archive }
            if file.starts(with: MemoryDatabase.signature) { return .chromium }
            return try SourceText.read(file) { text throws(ConversionError) in
                let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
                if first == UInt8(ascii: "<") {
                    try ForeignLibraries.require()
                    return XMLRoot.name(of: text) == "wallet" ? .wallet : .keePassXML
                }
                guard first == UInt8(ascii: "{") else { return .csv }
                if PassImport.recognises(text) { return .pass }
                let found: Kind? = try JSONFile.read(text) { value, _ throws(JSONError) in
                    if try value.member("exporterRpId") != nil { return .cxf }
                    if try value.member("encrypted") != nil { return .bitwarden }
                    if try value.member("logins") != nil, try value.member("nextId") != nil { return .firefox }
                    return try value.member("items") != nil ? .bitwarden : nil
                }
                guard let found else { throw ConversionError(.unrecognised) }
                return found
            }
        }
    }
}
