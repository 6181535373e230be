// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Crypto
package import SecretMemory

/// A row of the table `slot`: one wrapping of the vault key.
package struct SlotRow: Sendable {
    package static let saltLength = 32

    package var id: Slot.ID
    package let kind: UInt8
    package let salt: [UInt8]
    /// logN, r and p, a byte each; zeros where there is no stretching.
    package let cost: [UInt8]
    package var wrapped: [UInt8]
    /// The first 8 bytes of a SHA-256 over all of the above: distinguishes a damaged slot from a wrong secret.
    package var checksum: [UInt8]
    /// Label and time of creation, sealed under a key of the vault.
    package var note: [UInt8]
    /// How many consecutive wrong secrets there were, and a check sum over it. Not secret, not sealed: it counts while the
    /// vault is locked.
    package var failures: [UInt8]

    /// A new one, without its wrapping and its note.
    package init(id: Slot.ID, kind: Slot.Kind, salt: [UInt8], cost: PassphraseCost?) {
        self.id = id
        self.kind = kind.rawValue
        self.salt = salt
        self.cost = cost.map { [$0.logN, $0.r, $0.p] } ?? [0, 0, 0]
        wrapped = []
        checksum = []
        note = []
        failures = Self.failures(0, slot: id)
    }

    package init(_ row: borrowing SQLStatement.Row) {
        id = row.integer(0)
        // None that there is, where the column holds what no kind can be.
        kind = UInt8(exactly: row.integer(1)) ?? 0
        salt = row.copy(2)
        cost = row.copy(3)
        wrapped = row.copy(4)
        checksum = row.copy(5)
        note = row.copy(6)
        failures = row.copy(7)
    }

    /// All columns, in the order of the table.
    package var values: [SQLStatement.Value] {
        [
            .integer(id), .integer(Int64(kind)), .bytes(salt), .bytes(cost), .bytes(wrapped), .bytes(checksum),
            .bytes(note), .bytes(failures),
        ]
    }

    package var passphraseCost: PassphraseCost? {
        guard kind == Slot.Kind.passphrase.rawValue, cost.count == 3 else { return nil }
        return PassphraseCost(logN: cost[0], r: cost[1], p: cost[2])
    }

    private var associated: [UInt8] { AssociatedData.slot(id, kind: kind, salt: salt, cost: cost) }

    // MARK: - The vault key

    /// Wraps the vault key.
    package mutating func wrap(
        _ vaultKey: SecretBytes, with wrappingKey: SecretBytes, using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        wrapped = try vaultKey.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: wrappingKey, associated: associated, using: &entropy)
        }
        checksum = computedChecksum
    }

    /// The vault key; nil where the wrapping key is not this slot's.
    package func unwrap(with wrappingKey: SecretBytes) throws(VaultError) -> SecretBytes? {
        let key = try Sealing.open(wrapped, key: wrappingKey, associated: associated) { SecretBytes(copying: $0) }
        return key?.count == 32 ? key : nil
    }

    // MARK: - Integrity

    private var computedChecksum: [UInt8] { Array(SHA256.hash(data: associated + wrapped).prefix(8)) }

    package var isIntact: Bool { checksum == computedChecksum && Slot.Kind(rawValue: kind) != nil }

    /// What the manifest's root pins: all slots in the order of their ids.
    package static func digest(_ slots: [SlotRow]) -> [UInt8] {
        var hash = SHA256()
        for slot in slots.sorted(by: { $0.id < $1.id }) {
            for blob in [slot.associated, slot.wrapped, slot.checksum, slot.note] {
                withUnsafeBytes(of: UInt32(truncatingIfNeeded: blob.count).bigEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: blob)
            }
        }
        return Array(hash.finalize())
    }

    // MARK: - Failures

    /// nil where the count and its check sum do not fit.
    package var failureCount: UInt8? {
        guard let count = failures.first, failures == Self.failures(count, slot: id) else { return nil }
        return count
    }

    package static func failures(_ count: UInt8, slot: Slot.ID) -> [UInt8] {
        var input = Array("autofilld failures".utf8)
        withUnsafeBytes(of: slot.bigEndian) { input.append(contentsOf: $0) }
        input.append(count)
        return [count] + SHA256.hash(data: input).prefix(8)
    }

    package static let longestDelay: Int64 = 5000

    /// How long the next attempt waits after so many failures: 250 ms, doubled each time, 5 s at most.
    package static func delay(after failures: UInt8) -> Int64 {
        failures == 0 ? 0 : min(longestDelay, 250 << Int64(min(failures, 6) - 1))
    }
}
