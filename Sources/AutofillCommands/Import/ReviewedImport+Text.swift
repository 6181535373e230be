// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// How an import is shown before it is committed, and after that.
extension ReviewedImport {
    /// How many lines of a kind are shown where not all are asked for.
    private static let shown = 20

    /// - Parameter all: whether every line is shown.
    func show(_ console: Console, all: Bool) {
        var table = Table("FORMAT", "NEW", "IDENTICAL", "IN CONFLICT", "NOT IMPORTED")
        table.add(
            source, "\(counts.new)", "\(counts.identical)", "\(counts.conflicts)",
            "\(notImported.count { !$0.isKept })")
        console.print(table)
        if !conflicts.isEmpty {
            console.print()
            var table = Table("LINE", "TITLE", "SITE", "USER", "CHANGED IN FILE", "IN VAULT")
            for conflict in conflicts.prefix(all ? .max : Self.shown) {
                table.add(
                    conflict.line.map { "\($0)" } ?? "", conflict.title, conflict.service?.value ?? "", conflict.user,
                    conflict.changed?.minute ?? "unknown", conflict.saved?.minute ?? "another entry")
            }
            console.print(table)
            showRest(of: conflicts.count, all, console)
        }
        showNotImported(console, all: all)
        if counts.passkeys > 0 {
            console.print()
            console.print("\(counts.passkeys.counted("passkey")) kept for an export; none is used to sign in.")
        }
    }

    func showNotImported(_ console: Console, all: Bool) {
        guard !notImported.isEmpty else { return }
        console.print()
        var table = Table("LINE", "NOT IMPORTED, OR ELSEWHERE", "REASON")
        for record in notImported.prefix(all ? .max : Self.shown) {
            table.add(
                record.line.map { "\($0)" } ?? "", record.title.isEmpty ? "(no title)" : record.title, record.text)
        }
        console.print(table)
        showRest(of: notImported.count, all, console)
    }

    private func showRest(of count: Int, _ all: Bool, _ console: Console) {
        if !all, count > Self.shown { console.print("… and \(count - Self.shown) more: --dry-run lists all.") }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("format", source)
        writer.member("new", Int64(counts.new))
        writer.member("identical", Int64(counts.identical))
        writer.member("inConflict", Int64(counts.conflicts))
        writer.member("passkeys", Int64(counts.passkeys))
        writer.key("conflicts")
        writer.array { writer in for conflict in conflicts { writer.object { conflict.write(to: &$0) } } }
        writer.key("notImported")
        writer.array { writer in
            for record in notImported {
                writer.object { writer in
                    if let line = record.line { writer.member("line", Int64(line)) }
                    writer.member("title", record.title)
                    writer.member("what", record.what)
                    writer.member("reason", record.reason)
                }
            }
        }
    }
}
