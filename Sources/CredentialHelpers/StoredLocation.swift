// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import SecretMemory

/// The URL and the user that a tool has stored a password for. The helper records each in a keychain item.
package struct StoredLocation: Hashable, Sendable {
    package let url: String
    package let user: String

    package init(url: String, user: String) { (self.url, self.user) = (url, user) }

    /// The service of the keychain items.
    package static let service = "stored"

    /// The account of its keychain item, a JSON array of the two; nil if that would be too long.
    package var account: String? {
        var writer = JSONWriter()
        writer.array { writer in
            writer.string(url)
            writer.string(user)
        }
        let text = writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return text.utf8.count <= Limits.itemNameBytes ? text : nil
    }

    /// Reads the account of a keychain item; nil if no helper wrote it.
    package init?(account: String) {
        var (account, names) = (account, [String]())
        account.withUTF8 { text in
            var scanner = JSONScanner(maximumDepth: 1)
            let read = try? scanner.scan(UnsafeRawBufferPointer(text)) { value throws(JSONError) in
                try value.elements { element throws(JSONError) in try element.string() }
            }
            names = read ?? []
        }
        guard names.count == 2 else { return nil }
        (url, user) = (names[0], names[1])
    }
}

/// The daemon stores no empty names and passwords, but git has both.
package enum EmptyText {
    /// Represents an empty text, and precedes a text that begins with it.
    private static let mark: UInt8 = 1

    package static func escaped(_ text: String) -> String {
        text.isEmpty || text.utf8.first == mark ? "\u{1}" + text : text
    }

    package static func plain(_ text: String) -> String {
        text.utf8.first == mark ? String(text.unicodeScalars.dropFirst()) : text
    }

    package static func escaped(_ secret: SecretBytes) -> SecretBytes {
        let needsMark = secret.count == 0 || secret.withUnsafeBytes { $0[0] == mark }
        guard needsMark else { return secret }
        return SecretBytes(count: secret.count + 1) { memory in
            memory[0] = mark
            secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyMemory(from: $0) }
        }
    }

    package static func plain(_ secret: SecretBytes) -> SecretBytes {
        secret.withUnsafeBytes { bytes in
            bytes.first == mark ? SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) : secret
        }
    }
}
