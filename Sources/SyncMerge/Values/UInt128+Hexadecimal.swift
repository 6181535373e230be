// SPDX-License-Identifier: Apache-2.0

/// Identifiers as names of directories and files have them: 32 lowercase hexadecimal digits.
extension UInt128 {
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 32 - digits.utf8.count) + digits
    }

    /// Nil for any other text.
    package init?(hexadecimal text: String) {
        guard let number = UInt128(text, radix: 16), number.hexadecimal == text else { return nil }
        self = number
    }
}
