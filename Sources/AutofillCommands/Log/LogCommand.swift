// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct LogCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows the releases and refusals of secrets.",
        discussion: """
            Two sources, in one table by time: the record of releases in the vault, which is complete and needs the \
            passphrase or key, and the refusals in the journal, which may have gaps. If one is not available, that is \
            reported and the other is shown. Without --key-file, --passphrase-fd and a terminal, only the journal is shown.

            Examples:
              autofillctl log --app org.example.Shop --since 2d
              autofillctl log --follow --json
            """)

    @Option(help: ArgumentHelp("Show only this app.", valueName: "bundle-id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Show entries since an instant (2026-11-21T09:30:00Z), a day (2026-11-21), or how long ago (30m, 12h, 7d).",
            valueName: "time"))
    var since: String?

    @Flag(help: "Also print new entries of the journal, until interrupted.")
    var follow = false

    @Flag(help: "Leave out the record in the vault; no proof is needed then.")
    var journalOnly = false

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        if let app { _ = try BundleIdentifier(argument: app) }
        let start = try since.map { text throws(CommandFailure) in try LogTime(argument: text) }
        var missing: [(source: String, fix: String?)] = []
        var entries: [LogEntry] = []
        var gone: [String] = []
        if !journalOnly {
            do throws(CommandFailure) {
                (entries, gone) = try await releases(since: start)
            } catch {
                guard error.isAbsence(named: proof.isNamed) else { throw error }
                missing += error.problems.map { ("the record of releases: \($0.message)", $0.fix) }
            }
        }
        let hasRecord = missing.isEmpty && !journalOnly
        do throws(Journal.Absence) {
            let record = LogRecord(entries)
            entries += try Journal.entries(since: start).filter { !hasRecord || !record.has($0) }
        } catch {
            missing.append(("the journal: \(error.text)", nil))
        }
        let shown = entries.filter { app == nil || $0.bundleID == app }.sorted { $0.at < $1.at }
        if format.json {
            console.print { writer in
                writer.member("entries", shown)
                writer.member("missing", missing.map(\.source) + gone)
            }
        } else if missing.count < (journalOnly ? 1 : 2) {
            show(shown, console)
        }
        for (source, fix) in missing + gone.map({ ($0, "Check the vault: autofillctl vault check") }) {
            console.printError("autofillctl: not shown: \(source)")
            if let fix { console.printError("  Fix: \(fix)") }
        }
        if follow { try follow(console) }
        if missing.count == 2 || (journalOnly && !missing.isEmpty) { throw CommandFailure(.noInput, []) }
    }

    /// The entries of the record, and which of them are missing.
    private func releases(since start: LogTime?) async throws(CommandFailure) -> ([LogEntry], gone: [String]) {
        let (session, proof) = try await service.proven(self.proof)
        var missing: [MissingReleases] = []
        let found = try await PageRequest.all { page async throws(CommandFailure) in
            let found = try await session.call(ReleaseList(page: page, proof: proof))
            let matching = found.releases.filter { $0.at >= start?.text ?? "" }
            // The newest are first: a page with an older one is the last.
            let older = found.releases.first { $0.at < start?.text ?? "" }
            missing += found.missing.filter { $0.first > older?.number ?? 0 }
            return (matching, older == nil ? found.next : nil)
        }
        return (found.map(LogEntry.init), missing.map { $0.text(among: found) })
    }

    private func show(_ entries: [LogEntry], _ console: Console) {
        guard !entries.isEmpty else { return console.print("There are no entries.") }
        var table = Table("TIME", "APP", "WHAT", "DOMAIN", "OUTCOME", "PROGRAM")
        for entry in entries {
            table.add(
                entry.at.second, entry.bundleID, entry.method, entry.domain ?? "", entry.outcome,
                "\(entry.executable) (\(entry.process))" + (entry.evidence.map { ", \($0)" } ?? ""))
        }
        console.print(table)
    }

    private func follow(_ console: Console) throws(CommandFailure) {
        do throws(Journal.Absence) {
            try Journal.follow { entry in
                guard app == nil || entry.bundleID == app else { return }
                if format.json {
                    console.print { entry.write(to: &$0) }
                } else {
                    let fields = [entry.at.second, entry.bundleID, entry.method, entry.domain ?? "", entry.outcome]
                    console.print(fields.filter { !$0.isEmpty }.joined(separator: "  ").printable)
                }
            }
        } catch {
            throw CommandFailure(
                .noInput, "The journal cannot be followed: \(error.text)",
                fix: "Check whether this works: journalctl --user --follow")
        }
    }
}

extension MissingReleases {
    /// Which they are, for users.
    ///
    /// - Parameter entries: the newest first.
    func text(among entries: [ReleaseReport]) -> String {
        let before = entries.first { $0.number < first }.map { " after \($0.at)" } ?? ""
        let after = entries.last { $0.number > last }.map { " before \($0.at)" } ?? ""
        let count = last - first + 1
        return
            "\(count) \(count == 1 ? "entry" : "entries") of the record of releases\(before)\(after): damaged or removed"
    }
}

extension CommandFailure {
    /// Whether only this source is not available, as opposed to an error of the user: an option that cannot be used,
    /// Control-C.
    fileprivate func isAbsence(named isNamed: Bool) -> Bool {
        switch status {
        case .interrupted, .usage: false
        case .noInput: !isNamed
        default: true
        }
    }
}
