// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// What is concluded from one inspection of a process's connections after the other.
struct ConnectionInspections {
    private var contradictions = 0
    /// How often a connection without a name could have been one of the process's, and when that was found first.
    private var unsettled: (count: Int, since: Instant)?
    /// What was found before the bus reported that all connections have names, or are monitors.
    private var complete: ConnectionEvidence?

    /// nil: the process has to be inspected again.
    mutating func finding(_ evidence: ConnectionEvidence, at now: Instant) -> BusConnections.Finding? {
        switch evidence.verdict {
        case .own: return .own
        case .held: return .shared
        case .foreign:
            contradictions += 1
            // One that it has just closed may still have its name.
            return contradictions == BridgeLimits.contradictions ? .foreign : nil
        case .unsettled:
            if let complete, complete.isSame(as: evidence) { return evidence.settled == .own ? .own : .shared }
            let (count, since) = unsettled ?? (0, now)
            unsettled = (count + 1, since)
            let isLate = now - since > .milliseconds(BridgeLimits.helloMilliseconds)
            return isLate && count >= BridgeLimits.helloInspections ? .shared : nil
        }
    }

    /// - Parameter isComplete: whether the bus has reported since then that all connections have names, or are monitors.
    mutating func note(_ evidence: ConnectionEvidence, isComplete: Bool) { complete = isComplete ? evidence : nil }
}
