// SPDX-License-Identifier: Apache-2.0
internal import DaemonSocket

/// Why the service is not available. The app works without it: the form behaves as on a machine without AutoFill.
public enum AutofillUnavailable: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no socket: autofilld is not installed, or its socket is not enabled.
    case notInstalled
    /// The socket is not visible in this sandbox.
    case notReachable
    /// The socket exists, and no process listens on it.
    case notRunning
    /// The socket belongs to another user.
    case notPermitted
    /// The environment names no runtime directory, so the path of the socket is not known.
    case noSession
    /// The socket's path has 108 bytes or more, which no Unix socket can have.
    case pathTooLong
    /// This process cannot open a socket.
    case noSocket
    /// The connection was accepted, and there was no answer for five seconds.
    case notResponding

    /// What is wrong, in one line.
    public var message: String { absence.message }

    /// The fix.
    public var fix: String { absence.fix }

    private var absence: ServiceAbsence {
        switch self {
        case .notInstalled: .notInstalled
        case .notReachable: .notReachable
        case .notRunning: .notRunning
        case .notPermitted: .notPermitted
        case .noSession: .noSession
        case .pathTooLong: .pathTooLong
        case .noSocket: .noSocket
        case .notResponding: .notResponding
        }
    }

    init(_ absence: ServiceAbsence) { self = Self.allCases.first { $0.absence == absence } ?? .notResponding }
}
