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
    /// A script that an interpreter of root's runs: by its path and its content.
    case script(Script)
    /// A subject that a delegate, by the path of its executable, speaks for.
    case delegated(by: String, GrantSubject)

    /// Whether `line` needs the SHA-256 of the executable, for which all of it is read.
    package var needsContentHash: Bool {
        switch self {
        case .file: true
        case .delegated(_, let subject): subject.needsContentHash
        case .path, .flatpak, .login, .script: false
        }
    }

    /// Whether the app is identified by an executable file, or by its sandbox.
    package var isProgram: Bool {
        switch self {
        case .path, .file, .flatpak: true
        case .delegated(_, let subject): subject.isProgram
        case .login, .script: false
        }
    }

    /// Whether it is identified by an executable that only root can change.
    var isInstalledProgram: Bool {
        switch self {
        case .path: true
        case .delegated(_, let subject): subject.isInstalledProgram
        case .file, .flatpak, .login, .script: false
        }
    }

    /// The script in place of the interpreter that runs it; nil for what is no interpreter.
    package func running(_ script: Script) -> GrantSubject? {
        switch self {
        case .login: .script(script)
        case .delegated(let delegate, let subject):
            subject.running(script).map { .delegated(by: delegate, $0) }
        case .path, .file, .flatpak, .script: nil
        }
    }

    /// Whether a subject's line is valid only until the login ends.
    package static func isOfLogin(line: String) -> Bool { components(of: line).own.hasPrefix("login:") }

    /// A subject's line, valid only until the login ends: `login:<boot>/<session> path:/usr/bin/shop`.
    package static func line(_ line: String, ofLogin login: String) -> String {
        let (delegate, own) = components(of: line)
        return "\(delegate)login:\(login) \(own)"
    }

    /// The delegate, with the blank after it, and the rest.
    private static func components(of line: String) -> (delegate: Substring, own: Substring) {
        guard line.hasPrefix("via:"), let blank = line.firstIndex(of: " ") else { return ("", line[...]) }
        return (line[...blank], line[line.index(after: blank)...])
    }

    /// The subject in one line: `path:/usr/bin/shop`, `file:/home/a/shop#<sha256>`, `flatpak:org.example.Shop@system`,
    /// `login:<boot>/<session>`, `script:/home/a/day.sh#<sha256>`; of a delegate's peer
    /// `via:/usr/libexec/front path:/usr/bin/shop`, where a blank of the delegate's path is written `\x20`. Nil when the hash is
    /// needed and was not given.
    package func line(contentHash: String? = nil) -> String? {
        switch self {
        case .path(let path): "path:\(path)"
        case .file(let path): contentHash.map { "file:\(path)#\($0)" }
        case .flatpak(let appID, let installation): "flatpak:\(appID)@\(installation)"
        case .login(let login): "login:\(login)"
        case .script(let script): script.line
        case .delegated(let delegate, let subject):
            subject.line(contentHash: contentHash).map { line in
                "via:\(delegate.split(separator: " ", omittingEmptySubsequences: false).joined(separator: #"\x20"#)) \(line)"
            }
        }
    }
}
