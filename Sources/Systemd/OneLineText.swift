// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Itself, with every character that breaks a line, moves the cursor, changes the direction of writing or is
    /// invisible escaped as `\u{202E}`, so that no value can forge a line or hide text. At most 4,096 bytes.
    var onOneLine: String {
        if utf8.count <= Self.longestLine, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var result = ""
        for scalar in unicodeScalars {
            guard result.utf8.count < Self.longestLine else { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static var longestLine: Int { 4096 }
}
