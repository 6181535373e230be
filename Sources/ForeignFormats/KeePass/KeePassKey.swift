// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// The key of a KDBX file: of a password, of a key file, or of both.
struct KeePassKey {
    /// What the key derivation gets.
    let composite: SecretBytes

    init(password: SecretBytes?, keyFile: SecretBytes?) throws(ConversionError) {
        guard password != nil || keyFile != nil else { throw ConversionError(.passwordMissing) }
        var pieces: [SecretBytes] = []
        if let password { pieces.append(try Digest.sha256([password])) }
        if let keyFile { pieces.append(try Self.key(of: keyFile)) }
        composite = try Digest.sha256(pieces)
    }

    /// XML of version 1 (base64) or 2 (hexadecimal), 32 bytes, 64 hexadecimal digits, or the hash of any other file.
    private static func key(of file: SecretBytes) throws(ConversionError) -> SecretBytes {
        let found: SecretBytes? = file.withUnsafeBytes { bytes in
            if bytes.count == 32 { return file }
            if bytes.count == 64 { return hexadecimal(bytes) }
            let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF].contains($0) }
            guard first == UInt8(ascii: "<") else { return nil }
            let handler = KeyFileHandler()
            guard (try? XMLReader.read(bytes, handler)) != nil else { return nil }
            let text = handler.key.withUnsafeBytes { bytes in
                let kept = bytes.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
                return SecretBytes(copying: kept, count: kept.count)
            }
            return text.withUnsafeBytes { handler.isVersion2 ? hexadecimal($0) : Base64.decode($0) }
        }
        if let found, found.count == 32 { return found }
        return try Digest.sha256([file])
    }

    private static func hexadecimal(_ digits: UnsafeRawBufferPointer) -> SecretBytes? {
        guard let bytes = BinaryText.bytes(hexadecimal: digits) else { return nil }
        return SecretBytes(copying: bytes, count: bytes.count)
    }

    private final class KeyFileHandler: XMLHandler {
        var failure: ConversionError?
        var isVersion2 = false
        var key = SecretBuffer(capacity: 128)
        private var path: [String] = []

        func start(_ name: String, _ attributes: [String: String]) { path.append(name) }

        func end(_ name: String) { path.removeLast() }

        func text(_ bytes: UnsafeRawBufferPointer) {
            switch path {
            case ["KeyFile", "Meta", "Version"]: if bytes.first == UInt8(ascii: "2") { isVersion2 = true }
            case ["KeyFile", "Key", "Data"]: key.append(bytes)
            default: break
            }
        }
    }
}
