// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Writes KDBX 4: AES-256, Argon2id, gzip; protected values with ChaCha20.
final class KeePassWriter: ForeignWriter {
    /// The tag of favourites: KeePass has no member for them.
    static let favourite = "favourite"
    private static let lanes: UInt32 = 2

    /// What deriving the key costs.
    struct Cost {
        var kibibytes: UInt64 = 64 * 1024
        var passes: UInt64 = 10
    }

    private let output: ConversionOutput
    private let key: KeePassKey
    private let cost: Cost
    private let root = KeePassGroup("Root")
    private let entropy = SystemEntropy()

    init(_ output: ConversionOutput, password: SecretBytes, cost: Cost = Cost()) throws(ConversionError) {
        try ForeignLibraries.require()
        self.output = output
        self.cost = cost
        key = try KeePassKey(password: password, keyFile: nil)
    }

    func begin() {}

    func add(_ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void) {
        if entry.passkeys.count > 1 || entry.passkeys.contains(where: { !$0.displayName.isEmpty }) { missing(.passkey) }
        root.add(record, at: entry.folder.split(separator: "/").map(String.init)[...])
    }

    func end() throws(ConversionError) {
        let streamKey = random(64)
        var inner = SecretBuffer(capacity: 256)
        Self.append(field: 1, HeaderBytes.value(KeePassStream.chaCha20), to: &inner)
        Self.append(field: 2, streamKey, to: &inner)
        Self.append(field: 0, SecretBytes(count: 0) { _ in }, to: &inner)
        guard let stream = try KeePassStream(number: KeePassStream.chaCha20, key: streamKey) else { return }
        let compressor = try Compressor()
        try inner.withUnsafeBytes { bytes throws(ConversionError) in try compressor.append(bytes) }
        try KeePassXML(stream: stream, entropy: entropy, to: compressor).document(root)

        let (seed, nonce, salt) = (random(32), random(16), random(32))
        let header = Self.header(seed: seed, nonce: nonce, salt: salt, cost)
        let derived = try KeyDerivation.argon2(
            isID: true, salt: salt, passes: cost.passes, kibibytes: cost.kibibytes, lanes: UInt64(Self.lanes)
        ).key(key.composite)
        let cipher = try Cipher(.aes, key: try Digest.sha256([seed, derived]), nonce: nonce)
        let blocks = try KeePassBlocks(seed: seed, derived: derived)
        try output.append(header)
        try output.append(try Digest.sha256([header]))
        try output.append(try blocks.code(of: .max, header))
        let encrypted = try compressor.end { bytes throws(ConversionError) in try cipher.encrypt(bytes) }
        try blocks.write(encrypted, to: output)
        try output.flush()
    }

    private func random(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { memory in
            var entropy = entropy
            for index in memory.indices { memory[index] = .random(in: 0...255, using: &entropy) }
        }
    }

    private static func append(field number: UInt8, _ value: SecretBytes, to buffer: inout SecretBuffer) {
        buffer.append(HeaderBytes.value(number))
        buffer.append(HeaderBytes.value(UInt32(value.count)))
        buffer.append(value)
    }

    private static func header(
        seed: SecretBytes, nonce: SecretBytes, salt: SecretBytes, _ cost: Cost
    ) -> SecretBytes {
        var variants = SecretBuffer(capacity: 256)
        variants.append(HeaderBytes.value(UInt16(0x0100)))
        func append(_ kind: UInt8, _ name: String, _ value: SecretBytes) {
            variants.append(HeaderBytes.value(kind))
            variants.append(HeaderBytes.value(UInt32(name.utf8.count)))
            variants.append(name)
            variants.append(HeaderBytes.value(UInt32(value.count)))
            variants.append(value)
        }
        append(0x42, "$UUID", HeaderBytes.value(KeePassHeader.argon2id))
        append(0x05, "I", HeaderBytes.value(cost.passes))
        append(0x05, "M", HeaderBytes.value(cost.kibibytes * 1024))
        append(0x04, "P", HeaderBytes.value(lanes))
        append(0x42, "S", salt)
        append(0x04, "V", HeaderBytes.value(UInt32(0x13)))
        variants.append(HeaderBytes.value(UInt8(0)))

        var header = SecretBuffer(capacity: 512)
        header.append(HeaderBytes.value(KeePassHeader.signature))
        header.append(HeaderBytes.value(UInt32(0x0004_0000)))
        Self.append(field: 2, HeaderBytes.value(KeePassHeader.aes), to: &header)
        Self.append(field: 3, HeaderBytes.value(UInt32(1)), to: &header)
        Self.append(field: 4, seed, to: &header)
        Self.append(field: 7, nonce, to: &header)
        Self.append(field: 11, variants.secret, to: &header)
        Self.append(field: 0, HeaderBytes.value([0x0D, 0x0A, 0x0D, 0x0A]), to: &header)
        return header.secret
    }
}

/// A folder while it is written. It has the records of its entries, not the entries: they are read again in the order of the
/// document, so that memory does not hold them all at once.
final class KeePassGroup {
    let name: String
    private(set) var groups: [KeePassGroup] = []
    private(set) var records: [UnsafeRawBufferPointer] = []
    private var positions: [String: Int] = [:]

    init(_ name: String) { self.name = name }

    func add(_ record: UnsafeRawBufferPointer, at path: ArraySlice<String>) {
        guard let first = path.first else { return records.append(record) }
        let position = positions[first] ?? groups.count
        if position == groups.count {
            positions[first] = position
            groups.append(KeePassGroup(first))
        }
        groups[position].add(record, at: path.dropFirst())
    }
}
