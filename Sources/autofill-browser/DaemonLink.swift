// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import BrowserMessages
internal import DaemonConnection
internal import DaemonSocket
internal import EventLoop

/// The host's connection to the daemon: one for each host, so one for each browser that has the extension; made on first use, and
/// again after the daemon has ended.
enum DaemonLink {
    case down
    case connecting
    case up(DaemonConnection)

    /// The time limit for the answer to `hello`.
    static let patience = Duration.seconds(5)

    var connection: DaemonConnection? {
        if case .up(let connection) = self { connection } else { nil }
    }
}

extension DaemonConnection {
    /// Sends hello for the browser; for itself if the administrator does not let this program act for others, or if the browser cannot
    /// be identified.
    func greet(for caller: Caller, until deadline: Instant) async throws(HostRefusal) -> Hello.Answer {
        do throws(DaemonFailure) {
            if let delegated = try await greet(onBehalfOf: caller, until: deadline) { return delegated }
            return try await perform(Hello(bundleID: Caller.ownBundleID), until: deadline)
        } catch {
            throw HostRefusal(.notResponding)
        }
    }

    /// - Returns: nil if the daemon refused it, or there is no browser to act for.
    private func greet(
        onBehalfOf caller: Caller, until deadline: Instant
    ) async throws(DaemonFailure) -> Hello.Answer? {
        guard caller.mayBeDelegate, let browser = caller.browser else { return nil }
        let behalf = Hello.OnBehalfOf(bundleID: browser.bundleID, evidence: caller.evidence)
        do throws(DaemonFailure) {
            return try await perform(
                Hello(bundleID: Caller.ownBundleID, onBehalfOf: behalf), passing: caller.pidfd, until: deadline)
        } catch {
            guard case .refused = error else { throw error }
            if error.isFor("identity-mismatch") { caller.mayBeDelegate = false }
            return nil
        }
    }
}

extension HostRefusal {
    init(_ absence: ServiceAbsence) {
        self = .unavailable(absence.rawValue, absence.message, fix: absence.fix)
    }
}
