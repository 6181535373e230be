// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Writes Bitwarden's JSON, protected by a password: Argon2id with Bitwarden's own parameters.
final class BitwardenProtectedWriter: ForeignWriter {
    private static let (mebibytes, passes, lanes): (Int64, Int64, Int64) = (64, 3, 4)

    private let output: ConversionOutput
    private let password: SecretBytes
    private let plain: BitwardenWriter
    private let content: Content

    private final class Content { var buffer = SecretBuffer(capacity: 1 << 16) }

    init(_ output: ConversionOutput, password: SecretBytes) throws(ConversionError) {
        try ForeignLibraries.require()
        self.output = output
        self.password = password
        let content = Content()
        self.content = content
        plain = BitwardenWriter(ConversionOutput { bytes throws(ConversionError) in content.buffer.append(bytes) })
    }

    func begin() throws(ConversionError) { try plain.begin() }

    func add(_ entry: ForeignEntry, _ missing: (NotConverted.What) -> Void) throws(ConversionError) {
        try plain.add(entry, missing)
    }

    func end() throws(ConversionError) {
        try plain.end()
        let salt = BinaryText.base64(HeaderBytes.array(random(16)))
        let derivation = KeyDerivation.argon2(
            isID: true, salt: SecretBytes(utf8: salt), passes: UInt64(Self.passes),
            kibibytes: UInt64(Self.mebibytes) * 1024, lanes: UInt64(Self.lanes))
        let keys = try BitwardenKeys(derivation, password)
        // Any text: it only shows whether the password is right.
        let marker = SecretBytes(utf8: BinaryText.uuid(HeaderBytes.array(random(16))))
        let validation = try marker.withUnsafeBytes { bytes throws(ConversionError) in
            try keys.encrypt(bytes, nonce: random(16))
        }
        let data = try content.buffer.withUnsafeBytes { bytes throws(ConversionError) in
            try keys.encrypt(bytes, nonce: random(16))
        }
        try output.append { writer in
            writer.object { writer in
                writer.member("encrypted", true)
                writer.member("passwordProtected", true)
                writer.member("salt", salt)
                writer.member("kdfType", 1)
                writer.member("kdfIterations", Self.passes)
                writer.member("kdfMemory", Self.mebibytes)
                writer.member("kdfParallelism", Self.lanes)
                writer.member("encKeyValidation_DO_NOT_EDIT", validation)
                writer.member("data", data)
            }
        }
        try output.flush()
    }

    private func random(_ count: Int) -> SecretBytes {
        var entropy = SystemEntropy()
        return SecretBytes(count: count) { memory in
            for index in memory.indices { memory[index] = .random(in: 0...255, using: &entropy) }
        }
    }
}
