// SPDX-License-Identifier: Apache-2.0
import SecretMemory

extension Console {
    /// Prints a QR code of ``ConverterProgram/code(of:)``, dark on light also where a terminal writes light on dark: few
    /// readers accept the inverse.
    func print(qrCode code: SecretBytes) {
        code.withUnsafeBytes { code in
            for line in code.split(separator: UInt8(ascii: "\n")) {
                if isTerminal { print("\u{1B}[30;107m", terminator: "") }
                print(bytes: UnsafeRawBufferPointer(rebasing: line))
                print(isTerminal ? "\u{1B}[0m" : "")
            }
        }
    }
}
