// SPDX-License-Identifier: Apache-2.0

/// Why the daemon is not available, with the messages of every front end. `AutofillUnavailable` documents each case.
package enum ServiceAbsence: String, Error, Hashable, Sendable, CaseIterable {
    case notInstalled, notReachable, notRunning, notPermitted, noSession, pathTooLong, noSocket, notResponding

    /// What is wrong, in one line.
    package var message: String {
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

    /// The fix.
    package var fix: String {
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
