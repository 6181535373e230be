// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
internal import SecretMemory

/// Reads exports that are zip files: 1Password's 1PUX, and Bitwarden's with attachments.
enum ArchiveImport {
    private static let names = ["export.data", "data.json"]

    static func read(
        _ file: UnsafeRawBufferPointer, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try ForeignLibraries.require()
        guard let archive = af_archive_open(file.baseAddress, file.count) else { throw ConversionError(.damaged) }
        defer { af_archive_close(archive) }
        var found: (name: String, content: SecretBytes)?
        var attachments: [String] = []
        var (count, isDamaged) = (0, false)
        while let pointer = af_archive_next(archive, &isDamaged) {
            count += 1
            guard count <= ConversionLimits.archiveFiles else {
                throw ConversionError(.tooManyEntries(limit: ConversionLimits.archiveFiles))
            }
            let name = String(cString: pointer)
            if names.contains(name), found == nil {
                found = (name, try content(archive))
            } else if name.hasPrefix("attachments/"), !name.hasSuffix("/") {
                attachments.append(name.split(separator: "/").last.map(String.init) ?? name)
            }
        }
        if isDamaged { throw ConversionError(.damaged) }
        guard let found else { throw ConversionError(.notAnExport) }
        try found.content.withUnsafeBytes { text throws(ConversionError) in
            if found.name == "export.data" { return try OnePUXImport.read(text, try begin(OnePUXImport.name)) }
            let collector = try begin(BitwardenImport.name)
            for name in attachments {
                collector.report(NotConverted(title: name, what: .attachment, reason: .attachment))
            }
            try BitwardenImport.readItems(text, to: collector)
        }
    }

    private static func content(_ archive: OpaquePointer) throws(ConversionError) -> SecretBytes {
        var content = SecretBuffer(capacity: 1 << 20)
        var status = 1
        while status > 0 {
            content.append(upTo: 256 * 1024) { space in
                status = af_archive_read(archive, space.baseAddress, space.count)
                return status
            }
            guard content.count <= ConversionLimits.decompressedBytes else {
                throw ConversionError(.decompressedTooLarge(limit: ConversionLimits.decompressedBytes))
            }
        }
        guard status == 0 else { throw ConversionError(.damaged) }
        return content.secret
    }
}
