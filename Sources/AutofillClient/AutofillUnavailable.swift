// SPDX-License-Identifier: Apache-2.0
internal import DaemonSocket

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
    public var message: String { absence.message }

    /// What mends it.
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
