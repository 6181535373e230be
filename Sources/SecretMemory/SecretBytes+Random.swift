// SPDX-License-Identifier: Apache-2.0

extension SecretBytes {
    /// Random bytes.
    package convenience init(random count: Int, using entropy: inout some RandomNumberGenerator) {
        self.init(count: count) { memory in
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &entropy) }
        }
    }
}
