// SPDX-License-Identifier: Apache-2.0

/// Why the service is not there. An app without AutoFill goes on: the form works as it would on a machine that has none.
public enum AutofillUnavailable: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no socket: autofilld is not installed, or its socket is not enabled.
    case notInstalled
    /// There is no socket to be seen from inside this sandbox.
    case notReachable
    /// The socket is there, and nobody listens.
    case notRunning
    /// The socket is another user's.
    case notPermitted
    /// The environment names no runtime directory, so there is no place where the socket could be.
    case noSession
    /// The socket's path has 108 bytes or more, which no Unix socket can have.
    case pathTooLong
    /// This process cannot open a socket at all.
    case noSocket
    /// The socket took the connection, and for five seconds nothing answered.
    case notResponding

    /// What is wrong, in one line.
    public var message: String {
        switch self {
        case .notInstalled: "autofilld is not installed, or its socket is not enabled"
        case .notReachable: "autofilld cannot be reached from this sandbox"
        case .notRunning: "autofilld is not running"
        case .notPermitted: "The socket of autofilld belongs to another user"
        case .noSession: "There is no login session that autofilld could belong to"
        case .pathTooLong: "The path of the socket is too long: 107 bytes at most"
        case .noSocket: "This process cannot open a socket"
        case .notResponding: "autofilld does not answer"
        }
    }

    /// What mends it.
    public var fix: String {
        switch self {
        case .notInstalled: "Install it, then run: systemctl --user enable --now autofilld.socket"
        case .notReachable:
            "Give the Flatpak the permission --filesystem=xdg-run/autofilld:ro; strict snaps cannot join yet"
        case .notRunning: "Run: systemctl --user restart autofilld.socket"
        case .notPermitted: "Use the socket in your own runtime directory"
        case .noSession: "Log in through a session manager, or set AUTOFILLD_SOCKET to the socket's whole path"
        case .pathTooLong: "Name one in a directory with a shorter path"
        case .noSocket: "Close files it does not need, or raise the limit of its open files (ulimit -n)"
        case .notResponding: "See why it does not start: journalctl --user -u autofilld"
        }
    }
}
