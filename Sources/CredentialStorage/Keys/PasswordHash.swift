// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What a password is checked against without being stored: scrypt (RFC 7914) with a salt of its own, in the PHC string
/// format, `$scrypt$ln=15,r=8,p=1$SALT$HASH`, base 64 without padding.
package struct PasswordHash: Sendable {
    /// N = 2^15 blocks of 1 KiB: 32 MiB for each try.
    package static let cost = PassphraseCost(logN: 15, r: 8, p: 1)
    /// Bytes of a new salt, and of a new hash.
    private static let newSaltBytes = 16
    private static let newHashBytes = 32

    package let cost: PassphraseCost
    let salt: [UInt8]
    let hash: SecretBytes

    /// Reads the PHC form. nil for what is not scrypt, is weaker than N = 2^14, or takes more than four times
    /// the work of a new one, and so more than 128 MiB: a hash that was made elsewhere must not stall the daemon.
    package init?(phc text: SecretBytes) {
        let decoded = text.withUnsafeBytes { bytes -> (PassphraseCost, [UInt8], SecretBytes)? in
            let fields = bytes.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
            guard fields.count == 5, fields[0].isEmpty, fields[1].elementsEqual("scrypt".utf8),
                let cost = Self.cost(String(decoding: fields[2], as: UTF8.self)),
                let salt = PHCBase64.decode(UnsafeRawBufferPointer(rebasing: fields[3])),
                let hash = PHCBase64.decode(UnsafeRawBufferPointer(rebasing: fields[4])),
                (8...64).contains(salt.count), (16...64).contains(hash.count)
            else { return nil }
            return (cost, salt.withUnsafeBytes { Array($0) }, hash)
        }
        guard let (cost, salt, hash) = decoded else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    private init(cost: PassphraseCost, salt: [UInt8], hash: SecretBytes) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Hashes a password under a new salt. Slow, by design: for another thread than the event loop.
    package static func make(
        of password: SecretBytes, using generator: inout some RandomNumberGenerator
    ) throws(VaultError) -> PasswordHash {
        defer { StackResidue.wipe() }
        let salt = (0..<newSaltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let hash = try cost.derive(from: password.inNFC, salt: salt, byteCount: newHashBytes)
        return PasswordHash(cost: cost, salt: salt, hash: hash)
    }

    /// Whether it is the hash of this password; compared in constant time. Slow, by design.
    package func matches(_ password: SecretBytes) throws(VaultError) -> Bool {
        defer { StackResidue.wipe() }
        return try cost.derive(from: password.inNFC, salt: salt, byteCount: hash.count).equals(hash)
    }

    /// Whether a new hash would be harder to try than this one.
    package var isWeak: Bool { cost.work < Self.cost.work }

    /// The PHC form.
    package var phc: SecretBytes {
        let before = Array("$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$".utf8)
        let saltCount = PHCBase64.encodedCount(salt.count)
        return SecretBytes(count: before.count + saltCount + 1 + PHCBase64.encodedCount(hash.count)) { memory in
            UnsafeMutableRawBufferPointer(rebasing: memory[..<before.count]).copyBytes(from: before)
            let middle = before.count + saltCount
            salt.withUnsafeBytes {
                PHCBase64.encode($0, to: UnsafeMutableRawBufferPointer(rebasing: memory[before.count..<middle]))
            }
            memory[middle] = UInt8(ascii: "$")
            hash.withUnsafeBytes {
                PHCBase64.encode($0, to: UnsafeMutableRawBufferPointer(rebasing: memory[(middle + 1)...]))
            }
        }
    }

    /// `ln=15,r=8,p=1`, in this order.
    private static func cost(_ text: String) -> PassphraseCost? {
        var numbers: [UInt8] = []
        for (parameter, name) in zip(text.split(separator: ",", omittingEmptySubsequences: false), ["ln=", "r=", "p="])
        {
            guard parameter.hasPrefix(name), let number = UInt8(parameter.dropFirst(name.count)),
                "\(number)".utf8.elementsEqual(parameter.dropFirst(name.count).utf8)
            else { return nil }
            numbers.append(number)
        }
        guard numbers.count == 3, text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 2,
            (14...21).contains(numbers[0]), (1...32).contains(numbers[1]), (1...16).contains(numbers[2])
        else { return nil }
        let read = PassphraseCost(logN: numbers[0], r: numbers[1], p: numbers[2])
        return read.work <= 4 * cost.work ? read : nil
    }
}

extension PassphraseCost {
    /// How many blocks of 128 bytes are mixed.
    fileprivate var work: Int { Int(r) * Int(p) << Int(logN) }
}
