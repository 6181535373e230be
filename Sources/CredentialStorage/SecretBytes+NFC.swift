// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import SecretMemory

extension SecretBytes {
    /// The UTF-8 of the NFC form (Unicode Standard Annex #15). ASCII is its own. Anything else passes through strings, since
    /// the language normalises nothing but strings; the allocator overwrites what they leave (see the unit's
    /// GLIBC_TUNABLES).
    var inNFC: SecretBytes {
        withUnsafeBytes { bytes in
            guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
                return self
            }
            return SecretBytes(utf8: text.precomposedStringWithCanonicalMapping)
        }
    }
}
