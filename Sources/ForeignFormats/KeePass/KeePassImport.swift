// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Reads KDBX of version 3.1 and 4.
enum KeePassImport {
    static let name = "kdbx"

    static func read(
        _ source: ImportSource, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try ForeignLibraries.require()
        let header = try KeePassHeader(source.file)
        let key = try KeePassKey(password: source.password, keyFile: source.keyFile)
        let outer = SecretBytes(copying: UnsafeRawBufferPointer(rebasing: source.file[..<header.count]))
        let content = UnsafeRawBufferPointer(rebasing: source.file[header.count...])
        if header.isVersion4 {
            // What is damaged costs no derivation.
            var reader = ByteReader(content)
            let hash = SecretBytes(copying: try reader.bytes(32))
            guard try Digest.sha256([outer]).equals(hash) else { throw ConversionError(.damaged) }
        }
        let derived = try header.derivation.key(key.composite)
        do throws(ConversionError) {
            if header.isVersion4 {
                try readVersion4(outer, header, derived, content, begin)
            } else {
                try readVersion3(header, derived, content, begin)
            }
        } catch {
            // The key file alone does not open it.
            throw error.problem == .wrongPassword && source.password == nil ? ConversionError(.passwordMissing) : error
        }
    }

    /// Reads the plain XML that KeePass and KeePassXC export.
    static func readXML(
        _ file: UnsafeRawBufferPointer, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        try ForeignLibraries.require()
        try SourceText.read(file) { text throws(ConversionError) in
            try readXML(text, stream: nil, try begin("keepass-xml"))
        }
    }

    private typealias Begin = (String) throws(ConversionError) -> RecordCollector

    private static func readVersion4(
        _ outer: SecretBytes, _ header: KeePassHeader, _ derived: SecretBytes,
        _ content: UnsafeRawBufferPointer, _ begin: Begin
    ) throws(ConversionError) {
        let blocks = try KeePassBlocks(seed: header.seed, derived: derived)
        var reader = ByteReader(content)
        _ = try reader.bytes(32)
        let code = SecretBytes(copying: try reader.bytes(32))
        guard try blocks.code(of: .max, outer).equals(code) else { throw ConversionError(.wrongPassword) }
        let encrypted = try blocks.read(&reader)
        let cipher = try Cipher(
            header.cipher, key: try Digest.sha256([header.seed, derived]), nonce: header.nonce)
        let plain = try encrypted.withUnsafeBytes { bytes throws(ConversionError) in try cipher.decrypt(bytes) }
        guard let plain else { throw ConversionError(.damaged) }
        try plain.withUnsafeBytes { bytes throws(ConversionError) in
            try decompressed(bytes, header) { bytes throws(ConversionError) in
                let inner = try KeePassInnerHeader(bytes)
                let xml = UnsafeRawBufferPointer(rebasing: bytes[inner.count...])
                try readXML(xml, stream: inner.stream, try begin(name))
            }
        }
    }

    private static func readVersion3(
        _ header: KeePassHeader, _ derived: SecretBytes, _ content: UnsafeRawBufferPointer, _ begin: Begin
    ) throws(ConversionError) {
        let cipher = try Cipher(
            header.cipher, key: try Digest.sha256([header.seed, derived]), nonce: header.nonce)
        guard let plain = try cipher.decrypt(content), let startBytes = header.startBytes, let stream = header.stream
        else { throw ConversionError(.wrongPassword) }
        let joined = try plain.withUnsafeBytes { bytes throws(ConversionError) in
            var reader = ByteReader(bytes)
            guard bytes.count >= 32, SecretBytes(copying: try reader.bytes(32)).equals(startBytes) else {
                throw ConversionError(.wrongPassword)
            }
            return try KeePassBlocks.readHashed(&reader)
        }
        try joined.withUnsafeBytes { bytes throws(ConversionError) in
            try decompressed(bytes, header) { xml throws(ConversionError) in
                let inner = try KeePassStream(number: header.streamNumber, key: stream)
                try readXML(xml, stream: inner, try begin(name))
            }
        }
    }

    private static func decompressed(
        _ bytes: UnsafeRawBufferPointer, _ header: KeePassHeader,
        _ body: (UnsafeRawBufferPointer) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        if header.isCompressed { try Compression.withDecompressed(bytes, body) } else { try body(bytes) }
    }

    private static func readXML(
        _ xml: UnsafeRawBufferPointer, stream: KeePassStream?, _ collector: RecordCollector
    ) throws(ConversionError) {
        try XMLReader.read(xml, KeePassDocument(stream: stream, collector: collector))
        try collector.check()
    }
}
