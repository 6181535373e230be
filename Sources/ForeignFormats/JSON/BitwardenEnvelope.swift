// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// An export of Bitwarden that a password protects.
struct BitwardenEnvelope {
    private let isProtected: Bool
    private let derivation: KeyDerivation?
    private let validation: String
    private let data: SecretBytes?

    init(_ value: JSONValue) throws(JSONError) {
        isProtected = try value.optional("passwordProtected")?.bool() ?? false
        guard isProtected else {
            (derivation, validation, data) = (nil, "", nil)
            return
        }
        // The text of the salt is the salt, not what it encodes.
        let salt = SecretBytes(utf8: try value.required("salt").string())
        let count = UInt64(clamping: try value.required("kdfIterations").integer())
        switch try value.required("kdfType").integer() {
        case 0: derivation = .pbkdf2(salt: salt, iterations: count)
        case 1:
            let mebibytes = UInt64(clamping: try value.required("kdfMemory").integer())
            derivation = .argon2(
                isID: true, salt: salt, passes: count,
                kibibytes: mebibytes.multipliedReportingOverflow(by: 1024).partialValue,
                lanes: UInt64(clamping: try value.required("kdfParallelism").integer()))
        default: derivation = nil
        }
        validation = try value.required("encKeyValidation_DO_NOT_EDIT").string()
        data = try value.required("data").secret()
    }

    /// The content, as JSON.
    func open(with password: SecretBytes?) throws(ConversionError) -> SecretBytes {
        guard isProtected else { throw ConversionError(.accountEncrypted) }
        try ForeignLibraries.require()
        guard let derivation, let data else { throw ConversionError(.unsupportedDerivation) }
        try derivation.check()
        guard let password else { throw ConversionError(.passwordMissing) }
        let keys = try BitwardenKeys(derivation, password)
        guard try keys.decrypt(SecretBytes(utf8: validation)) != nil else { throw ConversionError(.wrongPassword) }
        guard let plain = try keys.decrypt(data) else { throw ConversionError(.damaged) }
        return plain
    }
}

/// The keys of a protected export.
struct BitwardenKeys {
    private let encryption: SecretBytes
    private let authentication: SecretBytes

    init(_ derivation: KeyDerivation, _ password: SecretBytes) throws(ConversionError) {
        var derivation = derivation
        // Argon2 gets the hash of the salt.
        if case .argon2(let isID, let salt, let passes, let kibibytes, let lanes) = derivation {
            derivation = .argon2(
                isID: isID, salt: try Digest.sha256([salt]), passes: passes, kibibytes: kibibytes, lanes: lanes)
        }
        let key = try derivation.key(password)
        encryption = try Digest.expand(key, "enc")
        authentication = try Digest.expand(key, "mac")
    }

    /// `2.IV|TEXT|MAC`, each in base64; nil where it is not authentic.
    func decrypt(_ text: SecretBytes) throws(ConversionError) -> SecretBytes? {
        let pieces: [SecretBytes]? = text.withUnsafeBytes { bytes in
            guard bytes.starts(with: "2.".utf8) else { return nil }
            let split = bytes.dropFirst(2).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            let decoded = split.compactMap { Base64.decode(UnsafeRawBufferPointer(rebasing: $0)) }
            return split.count == 3 && decoded.count == 3 ? decoded : nil
        }
        guard let pieces, pieces[0].count == 16,
            try Digest.hmac(key: authentication, [pieces[0], pieces[1]]).equals(pieces[2])
        else { return nil }
        let cipher = try Cipher(.aes, key: encryption, nonce: pieces[0])
        return try pieces[1].withUnsafeBytes { bytes throws(ConversionError) in try cipher.decrypt(bytes) }
    }

    /// Writes `2.IV|TEXT|MAC`, each in base64.
    func encrypt(
        _ content: UnsafeRawBufferPointer, nonce: SecretBytes, to output: ConversionOutput
    ) throws(ConversionError) {
        let encrypted = try Cipher(.aes, key: encryption, nonce: nonce).encrypt(content)
        let code = try Digest.hmac(key: authentication, [nonce, encrypted])
        for (index, piece) in [nonce, encrypted, code].enumerated() {
            try output.append(index == 0 ? "2." : "|")
            try piece.withUnsafeBytes { bytes throws(ConversionError) in
                for start in stride(from: 0, to: bytes.count, by: Self.block) {
                    let end = min(start + Self.block, bytes.count)
                    let block = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                    try output.append(
                        SecretBytes(count: Base64.encodedCount(block.count)) { Base64.encode(block, to: $0) })
                }
            }
        }
    }

    /// A multiple of three: without padding in between.
    private static let block = 48 * 1024
}
