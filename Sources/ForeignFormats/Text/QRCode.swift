// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries
package import SecretMemory

/// A QR code as lines of text, for paper: dark modules are blocks, and a character has two of them, one above the other.
package struct QRCode {
    /// In modules: the margin around it that a reader needs (ISO/IEC 18004, "Quiet zone").
    private static let margin = 4
    /// The width of the largest one, of version 40.
    private static let widest = 177

    private let modules: SecretBytes
    private let width: Int

    /// - Throws: if the text is too long, or if this was built without libqrencode.
    package init(_ text: SecretBytes) throws(ConversionError) {
        try ForeignLibraries.require()
        var width: Int32 = 0
        modules = SecretBytes(count: Self.widest * Self.widest) { modules in
            // It ends with a zero byte there.
            let line = SecretBytes(count: text.count + 1) { line in text.withUnsafeBytes { line.copyMemory(from: $0) } }
            line.withUnsafeBytes { line in
                width = af_qr_code(
                    line.baseAddress?.assumingMemoryBound(to: CChar.self),
                    modules.baseAddress?.assumingMemoryBound(to: UInt8.self), modules.count)
            }
        }
        guard width > 0 else { throw ConversionError(.valueTooLong(limit: ConversionLimits.qrCodeBytes)) }
        self.width = Int(width)
    }

    package func write(to output: ConversionOutput) throws(ConversionError) {
        for row in stride(from: -Self.margin, to: width + Self.margin, by: 2) {
            for column in -Self.margin..<width + Self.margin {
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): try output.append("\u{2588}")
                case (true, false): try output.append("\u{2580}")
                case (false, true): try output.append("\u{2584}")
                case (false, false): try output.append(" ")
                }
            }
            try output.append("\n")
        }
        try output.flush()
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        guard 0..<width ~= row, 0..<width ~= column else { return false }
        return modules.withUnsafeBytes { $0[row * width + column] == 1 }
    }
}
