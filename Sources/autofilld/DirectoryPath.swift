// SPDX-License-Identifier: Apache-2.0

/// The path of a directory, and of the one that it lies in.
struct DirectoryPath: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    /// nil for the root, and for the directory that relative paths begin in.
    var parent: DirectoryPath? {
        let path = text.hasSuffix("/") ? text.dropLast() : text[...]
        guard !path.isEmpty, path != "." else { return nil }
        guard let slash = path.lastIndex(of: "/") else { return DirectoryPath(".") }
        return DirectoryPath(slash == path.startIndex ? "/" : String(path[..<slash]))
    }
}
