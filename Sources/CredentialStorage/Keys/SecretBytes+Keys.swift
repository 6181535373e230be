// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

extension SecretBytes {
    /// The UTF-8 of the NFC form (Unicode Standard Annex #15). ASCII is its own. Anything else passes through strings, since
    /// the language normalises nothing but strings; the heap overwrites what they leave
    /// (CWipingHeap).
    var inNFC: SecretBytes {
        withUnsafeBytes { bytes in
            guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
                return self
            }
            var length = 0
            text.forEachInNFC { length += $0.count }
            return SecretBytes(count: length) { memory in
                var offset = 0
                text.forEachInNFC { scalar in
                    for byte in scalar {
                        memory[offset] = byte
                        offset += 1
                    }
                }
            }
        }
    }
}
