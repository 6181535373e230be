// SPDX-License-Identifier: Apache-2.0

/// What stands for an app in a grant, so that it is known again in a later connection.
package enum GrantSubject: Hashable, Sendable {
    /// A root-owned executable: by its path, for an upgrade changes its inode.
    case path(String)
    /// A user-owned executable: by its path and its content.
    case file(String)
    case flatpak(appID: String, installation: String)
    /// An interpreter or an AppImage: whatever claims the bundle ID during this login.
    case login(String)

    /// Whether `line` needs the SHA-256 of the executable, which takes reading all of it.
    package var needsContentHash: Bool {
        if case .file = self { true } else { false }
    }

    /// The subject in one line: `path:/usr/bin/shop`, `file:/home/a/shop#<sha256>`, `flatpak:org.example.Shop@system`,
    /// `login:<boot>/<session>`. Nil when the hash is needed and was not given.
    package func line(contentHash: String? = nil) -> String? {
        switch self {
        case .path(let path): "path:\(path)"
        case .file(let path): contentHash.map { "file:\(path)#\($0)" }
        case .flatpak(let appID, let installation): "flatpak:\(appID)@\(installation)"
        case .login(let login): "login:\(login)"
        }
    }
}
