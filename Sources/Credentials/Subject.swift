// SPDX-License-Identifier: Apache-2.0

/// An app and the evidence that identifies it, by which it is recognised in a later connection.
///
/// A root-owned executable counts by its path (an upgrade changes its inode), a user-owned one by path and the SHA-256 of
/// its content, a Flatpak by its app ID and installation, a script by path and content, another interpreter by bundle ID for
/// this login only.
package struct Subject: Hashable, Sendable {
    /// The bundle ID.
    package let app: String
    /// `sandboxed`, `installed`, `attributed` or `claimed`.
    package let assurance: String
    /// The evidence for the app, in one line: `path:/usr/bin/shop`, `file:/home/a/shop#<sha256>`,
    /// `flatpak:org.example.Shop@system`, `script:/home/a/day.sh#<sha256>`, `login:<session>`, `administrator`, or, where
    /// nothing could be recognised later, `process:<pid>@<start time>/<boot>`.
    package let executable: String

    package init(app: String, assurance: String, executable: String) {
        self.app = app
        self.assurance = assurance
        self.executable = executable
    }
}
