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

    func add(
        _ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void
    ) throws(ConversionError) {
        try plain.add(entry, record, missing)
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
        // The content is written in pieces, as it is encrypted. The salt is base64, which JSON need not escape.
        try output.append(
            #"{"encrypted":true,"passwordProtected":true,"salt":"\#(salt)","kdfType":1,"kdfIterations":\#(Self.passes),"#
                + #""kdfMemory":\#(Self.mebibytes),"kdfParallelism":\#(Self.lanes),"encKeyValidation_DO_NOT_EDIT":""#)
        try marker.withUnsafeBytes { bytes throws(ConversionError) in
            try keys.encrypt(bytes, nonce: random(16), to: output)
        }
        try output.append(#"","data":""#)
        try content.buffer.withUnsafeBytes { bytes throws(ConversionError) in
            try keys.encrypt(bytes, nonce: random(16), to: output)
        }
        try output.append(#""}"#)
        try output.flush()
    }

    private func random(_ count: Int) -> SecretBytes {
        var entropy = SystemEntropy()
        return SecretBytes(count: count) { memory in
            for index in memory.indices { memory[index] = .random(in: 0...255, using: &entropy) }
        }
    }
}
