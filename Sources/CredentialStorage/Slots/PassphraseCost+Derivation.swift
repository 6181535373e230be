// SPDX-License-Identifier: Apache-2.0
internal import CSealing
package import Credentials
internal import Crypto
internal import CryptoExtras
internal import SecretMemory

extension PassphraseCost {
    /// A cost that takes about `target` on this machine, never less than `least`: its memory, and as many times over as
    /// needed, within `VaultLimits`. Runs one derivation; for another thread than the event loop.
    package static func calibrated<ClockType: Clock>(
        to target: Duration = .milliseconds(500), measuredBy clock: ClockType
    ) -> PassphraseCost where ClockType.Duration == Duration {
        let probe = SecretBytes(count: 16) { _ in }
        let once = clock.measure { _ = try? least.derive(from: probe, salt: [UInt8](repeating: 0, count: 32)) }
        let times = (target / max(once, .milliseconds(1))).rounded()
        return PassphraseCost(
            logN: least.logN, r: least.r, p: UInt8(min(max(times, 1), Double(VaultLimits.passphrasePasses.upperBound))))
    }

    /// One that a vault is made with: its value in the file is under no key before it is derived, and must not stall the
    /// daemon.
    var isAcceptable: Bool {
        logN == Self.least.logN && r == Self.least.r && VaultLimits.passphrasePasses.contains(Int(p))
    }

    /// How much working memory a derivation needs, in bytes.
    private var memory: Int { 128 * Int(r) << Int(logN) }

    /// Whether that of a vault's passphrase is locked while it is used. It is kept out of core dumps and erased in any case.
    package static var isMemoryLocked: Bool { af_derivation_lockable(least.memory + 1 << 20) }

    /// The key of a passphrase, 32 bytes by default. Slow, by design.
    func derive(
        from passphrase: SecretBytes, salt: [UInt8], byteCount: Int = 32
    ) throws(VaultError) -> SecretBytes {
        do {
            let key = try passphrase.withUnsafeBytes { bytes in
                try KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: byteCount, rounds: 1 << Int(logN), blockSize: Int(r),
                    parallelism: Int(p))
            }
            return key.withUnsafeBytes { SecretBytes(copying: $0) }
        } catch { throw .failed(code: 0) }
    }
}
