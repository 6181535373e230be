// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import Credentials

/// What is stored of one site: its last statement, as long as it is valid, and the last attempt to fetch it. Kept in the vault.
package struct StoredAssociation: WireValue, Hashable {
    /// The last attempt that the site answered.
    private(set) var statement: AssociationReport?
    /// When that was, and until when it is valid.
    package private(set) var fetched: Timestamp?
    package private(set) var validUntil: Timestamp?
    package private(set) var attempt: AssociationReport
    package private(set) var attempted: Timestamp
    /// When it is tried again.
    package private(set) var nextAttempt: Timestamp
    /// How often in a row it failed.
    private(set) var failures: Int

    /// What holds after an attempt. A failed one leaves the site's last statement as it was, until it expires; so does a failure of one
    /// file what that has stated.
    ///
    /// - Parameter chance: from 0 to 1; spreads the next attempts of many machines.
    init(_ report: AssociationReport, after old: StoredAssociation?, at now: Timestamp, chance: Double) {
        attempt = report
        attempted = now
        let earlier = old?.statement(at: now)
        if report.isAnswered, !report.isPartial || earlier == nil {
            statement = report
            fetched = now
            validUntil = now.advanced(byMilliseconds: Int64(report.validSeconds) * 1000)
        } else {
            statement = report.isAnswered ? earlier.map(report.completed) : old?.statement
            fetched = old?.fetched
            validUntil = old?.validUntil
        }
        if report.isAnswered, !report.isPartial {
            failures = 0
            nextAttempt = now.advanced(byMilliseconds: Int64(Double(report.validSeconds) * (500 + 250 * chance)))
        } else {
            failures = (old?.failures ?? 0) + 1
            let bounds = Limits.associationRetryMilliseconds
            let wait = min(bounds.upperBound, bounds.lowerBound << min(failures - 1, 16))
            nextAttempt = now.advanced(byMilliseconds: Int64(Double(wait) * (0.75 + 0.5 * chance)))
        }
    }

    /// The site's statement, if it is valid now.
    func statement(at now: Timestamp) -> AssociationReport? {
        guard let validUntil, now < validUntil, Self.isNear(validUntil, now) else { return nil }
        return statement
    }

    /// Whether it is to be tried again now.
    func isDue(at now: Timestamp) -> Bool { nextAttempt <= now || !Self.isNear(nextAttempt, now) }

    /// False for a time that a clock gave which was ahead: no statement is valid, and no attempt is put off, that long.
    private static func isNear(_ end: Timestamp, _ now: Timestamp) -> Bool {
        end.milliseconds - now.milliseconds <= Int64(Limits.associationSeconds.upperBound) * 1000
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        statement = try members.optionalValue("word")
        fetched = try members.optionalTimestamp("fetched")
        validUntil = try members.optionalTimestamp("validUntil")
        attempt = try members.value("attempt")
        attempted = try members.timestamp("attempted")
        nextAttempt = try members.timestamp("nextAttempt")
        failures = try members.integer("failures", in: 0...Int(Int32.max))
    }

    package func write(to writer: inout JSONWriter) {
        if let statement { writer.member("word", statement) }
        if let fetched { writer.member("fetched", fetched.milliseconds) }
        if let validUntil { writer.member("validUntil", validUntil.milliseconds) }
        writer.member("attempt", attempt)
        writer.member("attempted", attempted.milliseconds)
        writer.member("nextAttempt", nextAttempt.milliseconds)
        writer.member("failures", failures)
    }
}

/// The user's decision about an app and a domain, or a wildcard. Kept in the vault.
package struct DomainDecision: WireValue, Hashable {
    package enum Decision: String, Sendable {
        case approve, deny
    }

    package let decision: Decision
    let decided: Timestamp

    init(_ decision: Decision, at decided: Timestamp) {
        self.decision = decision
        self.decided = decided
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        decision = try members.choice("word")
        decided = try members.timestamp("decided")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("word", decision.rawValue)
        writer.member("decided", decided.milliseconds)
    }
}

extension MemberReader {
    /// In milliseconds since 1970, as the vault has it.
    fileprivate mutating func timestamp(_ name: StaticString) throws(ProtocolProblem) -> Timestamp {
        Timestamp(milliseconds: Int64(try integer(name, in: 0...1 << 53 - 1)))
    }

    fileprivate mutating func optionalTimestamp(_ name: StaticString) throws(ProtocolProblem) -> Timestamp? {
        try optionalInteger(name, in: 0...1 << 53 - 1).map { Timestamp(milliseconds: Int64($0)) }
    }
}
