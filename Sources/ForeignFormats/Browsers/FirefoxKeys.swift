// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The keys of a Firefox profile, by their IDs: `key4.db`, as NSS writes it.
struct FirefoxKeys {
    private var keys: [[UInt8]: [SecretBytes]] = [:]

    // Object identifiers, encoded: those of PKCS #5, PKCS #12 and of the ciphers.
    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    private static let hmacSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x09]
    private static let sha1And3DES: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x05, 0x01, 0x03]
    private static let aes256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A]
    private static let tripleDES: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x03, 0x07]

    /// `password` is the primary password, where the profile has one.
    init(_ file: SecretBytes, password: SecretBytes?) throws(ConversionError) {
        let database = try file.withUnsafeBytes { bytes throws(ConversionError) in try MemoryDatabase(bytes) }
        var opened: SecretBytes?
        try database.rows(of: "metaData", ["id", "item1", "item2"]) { row throws(ConversionError) in
            guard row.text(0) == "password" else { return }
            // NSS hashes by the length of the salt: newer versions by SHA-384, older ones by SHA-1.
            let salted = [row.bytes(1), password ?? SecretBytes(utf8: "")]
            let secret = try salted[0].count == 48 ? Digest.sha384(salted) : Digest.sha1(salted)
            let check = try Self.open(row.bytes(2), secret)
            let isRight = check?.withUnsafeBytes { $0.elementsEqual("password-check".utf8) } ?? false
            if isRight { opened = secret }
        }
        guard let opened else { throw ConversionError(password == nil ? .passwordMissing : .wrongPassword) }
        var found: [[UInt8]: [SecretBytes]] = [:]
        try database.rows(of: "nssPrivate", ["a11", "a102"]) { row throws(ConversionError) in
            let sealed = row.bytes(0)
            guard sealed.count > 0, let key = try Self.open(sealed, opened) else { return }
            found[HeaderBytes.array(row.bytes(1)), default: []].append(key)
        }
        keys = found
    }

    /// A value of `logins.json`; nil where there is no key for it, or it is damaged.
    func decrypt(_ value: SecretBytes) throws(ConversionError) -> SecretBytes? {
        try value.withUnsafeBytes { bytes throws(ConversionError) in
            var reader = DERReader(bytes)
            var sequence = try reader.sequence()
            let id = Array(try sequence.value(.octets))
            var algorithm = try sequence.sequence()
            let object = try algorithm.object()
            let nonce = SecretBytes(copying: try algorithm.value(.octets))
            let message = try sequence.value(.octets)
            guard object == Self.aes256 || object == Self.tripleDES else { throw ConversionError(.unsupportedCipher) }
            let isAES = object == Self.aes256
            guard let key = keys[id]?.first(where: { $0.count == (isAES ? 32 : 24) }) else { return nil }
            return try Cipher(isAES ? .aes : .tripleDES, key: key, nonce: nonce).decrypt(message)
        }
    }

    /// What `secret` (the hash of the salt and the password) opens; nil where it does not.
    private static func open(_ sealed: SecretBytes, _ secret: SecretBytes) throws(ConversionError) -> SecretBytes? {
        try sealed.withUnsafeBytes { bytes throws(ConversionError) in
            var reader = DERReader(bytes)
            var sequence = try reader.sequence()
            var algorithm = try sequence.sequence()
            let object = try algorithm.object()
            var parameters = try algorithm.sequence()
            let message = try sequence.value(.octets)
            switch object {
            case pbes2: return try openPBES2(&parameters, message, secret)
            case sha1And3DES: return try open3DES(&parameters, message, secret)
            default: throw ConversionError(.unsupportedDerivation)
            }
        }
    }

    private static func openPBES2(
        _ parameters: inout DERReader, _ message: UnsafeRawBufferPointer, _ secret: SecretBytes
    ) throws(ConversionError) -> SecretBytes? {
        var derivation = try parameters.sequence()
        guard try derivation.object() == pbkdf2 else { throw ConversionError(.unsupportedDerivation) }
        var values = try derivation.sequence()
        let salt = SecretBytes(copying: try values.value(.octets))
        let iterations = try values.number()
        let count = try values.number()
        var hash = try values.sequence()
        guard count == 32, try hash.object() == hmacSHA256 else { throw ConversionError(.unsupportedDerivation) }
        var cipher = try parameters.sequence()
        guard try cipher.object() == aes256 else { throw ConversionError(.unsupportedCipher) }
        let value = Array(try cipher.value(.octets))
        // NSS takes the whole encoded value as the 16 bytes.
        let nonce = value.count == 14 ? [0x04, 0x0E] + value : value
        let key = try KeyDerivation.pbkdf2(salt: salt, iterations: iterations).key(secret)
        return try Cipher(.aes, key: key, nonce: HeaderBytes.value(nonce)).decrypt(message)
    }

    /// As profiles have it that Firefox 74 and older made: PKCS #12's, in NSS's variant.
    private static func open3DES(
        _ parameters: inout DERReader, _ message: UnsafeRawBufferPointer, _ secret: SecretBytes
    ) throws(ConversionError) -> SecretBytes? {
        let salt = SecretBytes(copying: try parameters.value(.octets))
        guard try parameters.number() == 1, salt.count <= 20 else { throw ConversionError(.unsupportedDerivation) }
        let padding = SecretBytes(count: 20 - salt.count) { _ in }
        let key = try Digest.sha1([secret, salt])
        let first = try Digest.hmacSHA1(key: key, [salt, padding, salt])
        let middle = try Digest.hmacSHA1(key: key, [salt, padding])
        let second = try Digest.hmacSHA1(key: key, [middle, salt])
        let joined = HeaderBytes.array(first) + HeaderBytes.array(second)
        let cipher = try Cipher(
            .tripleDES, key: HeaderBytes.value(Array(joined.prefix(24))),
            nonce: HeaderBytes.value(Array(joined.suffix(8))))
        return try cipher.decrypt(message)
    }
}
