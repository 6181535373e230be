// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// One line of the log: from the record in the vault, or from the journal.
struct LogEntry: WireValue, Hashable {
    /// RFC 3339, UTC, milliseconds: sorts by time as text.
    let at: String
    /// `record` or `journal`.
    let source: String
    let bundleID: String
    let method: String
    let domain: String?
    /// The reason's name; nil for a release.
    let refused: String?
    /// The fix of a refusal; only the journal has it.
    let fix: String?
    let assurance: String
    let process: Int
    let executable: String
    /// The grant of a release; only the record has it.
    let grant: String?
    /// What a release was for, as the caller stated it; only the record has it.
    let evidence: String?

    /// The outcome, for users.
    var outcome: String { refused.map { "refused: \($0)" } ?? (grant == nil ? "released" : "released, by grant") }

    init(_ release: ReleaseReport) {
        at = release.at
        source = "record"
        bundleID = release.bundleID
        method = release.method
        domain = release.service?.value ?? release.keychain?.path
        refused = release.refused
        fix = nil
        assurance = release.assurance
        process = release.process
        executable = release.executable
        grant = release.grant
        evidence = release.evidence
    }

    init(
        at: String, bundleID: String, method: String, domain: String?, refused: String?, fix: String?,
        assurance: String, process: Int, executable: String
    ) {
        self.at = at
        source = "journal"
        self.bundleID = bundleID
        self.method = method
        self.domain = domain
        self.refused = refused
        self.fix = fix
        self.assurance = assurance
        self.process = process
        self.executable = executable
        grant = nil
        evidence = nil
    }

    init(from members: inout MemberReader) throws(ProtocolProblem) {
        at = try members.string("at", bytes: 1...64)
        source = try members.string("source", bytes: 1...16)
        bundleID = try members.string("bundleID", bytes: 0...255)
        method = try members.string("method", bytes: 0...64)
        domain = try members.optionalString("domain", bytes: 0...2048)
        refused = try members.optionalString("refused", bytes: 0...64)
        fix = try members.optionalString("fix", bytes: 0...16384)
        assurance = try members.string("assurance", bytes: 0...32)
        process = try members.integer("process", in: 0...Int.max)
        executable = try members.string("executable", bytes: 0...4096)
        grant = try members.optionalString("grant", bytes: 0...64)
        evidence = try members.optionalString("evidence", bytes: 0...256)
    }

    func write(to writer: inout JSONWriter) {
        writer.member("at", at)
        writer.member("source", source)
        writer.member("bundleID", bundleID)
        writer.member("method", method)
        writer.member("domain", orNull: domain)
        writer.member("refused", orNull: refused)
        writer.member("fix", orNull: fix)
        writer.member("assurance", assurance)
        writer.member("process", process)
        writer.member("executable", executable)
        writer.member("grant", orNull: grant)
        writer.member("evidence", orNull: evidence)
    }
}

/// The contents of the record in the vault, to leave out the journal's copies of it.
struct LogRecord {
    private struct Key: Hashable {
        let process: Int
        let bundleID: String
        let method: String
        let refused: String?
    }

    private var times: [Key: [LogTime]] = [:]

    /// - Parameter entries: of the record.
    init(_ entries: [LogEntry]) {
        for entry in entries { times[Self.key(entry), default: []].append(Self.time(entry)) }
    }

    /// Whether the journal's entry is a copy: a release always is, and a refusal if the record has the same one within
    /// two seconds (the journal records the time at which it received the entry).
    func has(_ entry: LogEntry) -> Bool {
        guard entry.refused != nil else { return true }
        let time = Self.time(entry).milliseconds
        return times[Self.key(entry)]?.contains { abs($0.milliseconds - time) <= 2000 } ?? false
    }

    private static func key(_ entry: LogEntry) -> Key {
        Key(process: entry.process, bundleID: entry.bundleID, method: entry.method, refused: entry.refused)
    }

    private static func time(_ entry: LogEntry) -> LogTime { LogTime(entry.at) ?? LogTime(milliseconds: 0) }
}
