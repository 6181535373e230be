// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Itself as one word for a shell, in a command to be copied: in single quotes where it has anything but letters,
    /// digits and what stands in plain paths.
    var shellQuoted: String {
        let isPlain = !isEmpty && utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? self : "'" + printable.replacing("'", with: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%".utf8)
}
