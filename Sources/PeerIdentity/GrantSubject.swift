// SPDX-License-Identifier: Apache-2.0

/// The identity of an app in a grant, by which it is recognised in a later connection.
package indirect enum GrantSubject: Hashable, Sendable {
    /// A root-owned executable: by its path, for an upgrade changes its inode.
    case path(String)
    /// A user-owned executable: by its path and its content.
    case file(String)
    case flatpak(appID: String, installation: String)
    /// An interpreter or an AppImage: whatever claims the bundle ID during this login.
    case login(String)
    /// A subject that a delegate, by the path of its executable, speaks for.
    case delegated(by: String, GrantSubject)

    /// Whether `line` needs the SHA-256 of the executable, for which all of it is read.
    package var needsContentHash: Bool {
        switch self {
        case .file: true
        case .delegated(_, let subject): subject.needsContentHash
        case .path, .flatpak, .login: false
        }
    }

    /// Whether the app is identified by an executable file.
    package var isProgram: Bool {
        switch self {
        case .path, .file: true
        case .delegated(_, let subject): subject.isProgram
        case .flatpak, .login: false
        }
    }

    /// Whether it is identified by an executable that only root can change.
    var isInstalledProgram: Bool {
        switch self {
        case .path: true
        case .delegated(_, let subject): subject.isInstalledProgram
        case .file, .flatpak, .login: false
        }
    }

    /// Whether a subject's line is valid only until the login ends.
    package static func isOfLogin(line: String) -> Bool {
        guard line.hasPrefix("via:"), let blank = line.firstIndex(of: " ") else { return line.hasPrefix("login:") }
        return line[line.index(after: blank)...].hasPrefix("login:")
    }

    /// The subject in one line: `path:/usr/bin/shop`, `file:/home/a/shop#<sha256>`, `flatpak:org.example.Shop@system`,
    /// `login:<boot>/<session>`; of a delegate's peer `via:/usr/libexec/front path:/usr/bin/shop`, where a blank of the
    /// delegate's path is written `\x20`. Nil when the hash is needed and was not given.
    package func line(contentHash: String? = nil) -> String? {
        switch self {
        case .path(let path): "path:\(path)"
        case .file(let path): contentHash.map { "file:\(path)#\($0)" }
        case .flatpak(let appID, let installation): "flatpak:\(appID)@\(installation)"
        case .login(let login): "login:\(login)"
        case .delegated(let delegate, let subject):
            subject.line(contentHash: contentHash).map { line in
                "via:\(delegate.split(separator: " ", omittingEmptySubsequences: false).joined(separator: #"\x20"#)) \(line)"
            }
        }
    }
}
