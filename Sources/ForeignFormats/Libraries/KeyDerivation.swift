// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
internal import SecretMemory

/// How a key is derived from a password: within the limits, whatever a file asks for.
enum KeyDerivation {
    case pbkdf2(salt: SecretBytes, iterations: UInt64, hashBits: Int32 = 256)
    case argon2(isID: Bool, salt: SecretBytes, passes: UInt64, kibibytes: UInt64, lanes: UInt64)
    /// KeePass: AES-256 of the two halves, again and again.
    case aes(seed: SecretBytes, rounds: UInt64)

    /// Refuses what needs too much memory or time, before anything is computed.
    func check() throws(ConversionError) {
        typealias Max = ConversionLimits
        let isWithin: Bool
        switch self {
        case .pbkdf2(_, let iterations, _): isWithin = (1...Max.derivationIterations / 10).contains(iterations)
        case .aes(_, let rounds): isWithin = rounds <= Max.derivationIterations
        case .argon2(_, let salt, let passes, let kibibytes, let lanes):
            isWithin =
                (1...Max.derivationPasses).contains(passes) && (1...Max.derivationLanes).contains(lanes)
                && (8 * lanes...Max.derivationKibibytes).contains(kibibytes)
                && passes * kibibytes <= Max.derivationWork && salt.count >= 8
        }
        guard isWithin else { throw ConversionError(.derivationTooCostly) }
    }

    /// Of 32 bytes; of as many as stated by PBKDF2.
    func key(_ password: SecretBytes, count: Int = 32) throws(ConversionError) -> SecretBytes {
        try check()
        let derived = try SecretBytes(count: count) { key throws(ConversionError) in
            let isDone = password.withUnsafeBytes { password in
                switch self {
                case .pbkdf2(let salt, let iterations, let hashBits):
                    salt.withUnsafeBytes {
                        af_pbkdf2(
                            hashBits, password.baseAddress, password.count, $0.baseAddress, $0.count, iterations,
                            key.baseAddress, key.count)
                    }
                case .argon2(let isID, let salt, let passes, let kibibytes, let lanes):
                    salt.withUnsafeBytes {
                        af_argon2(
                            isID, password.baseAddress, password.count, $0.baseAddress, $0.count, passes, kibibytes,
                            lanes, key.baseAddress, key.count)
                    }
                case .aes(let seed, let rounds):
                    if password.count == 32, seed.count == 32 {
                        seed.withUnsafeBytes { seed in
                            key.copyMemory(from: password)
                            return af_aes_rounds(seed.baseAddress, key.baseAddress, rounds)
                        }
                    } else {
                        false
                    }
                }
            }
            guard isDone else { throw ConversionError(.unsupportedDerivation) }
        }
        if case .aes = self { return try Digest.sha256([derived]) }
        return derived
    }
}
