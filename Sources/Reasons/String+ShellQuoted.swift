// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Itself quoted as one argument for a shell: in single quotes if it contains anything but letters, digits and the
    /// punctuation of plain paths.
    package var shellQuoted: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%".utf8)
}
