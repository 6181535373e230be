// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Synchronization

/// Where entries are written.
package enum JournalOutput: Hashable, Sendable {
    /// The journal's native socket at this path.
    case journal(socket: String)
    /// One line each, the message alone.
    case standardError

    package static let systemSocket = "/run/systemd/journal/socket"
}

/// Writes entries to the journal, or lines to standard error where there is none.
///
/// Implements the journal's documented native protocol, because sd_journal_sendv(3) blocks while the journal does not
/// read. An entry that the journal does not accept at once is lost: the journal is a copy, never the record. Lost
/// entries are counted, and the count is written before the next entry that succeeds.
package final class JournalWriter: Sendable {
    private let output: JournalOutput
    private let identifier: String
    private let socket: Int32
    private let lost = Atomic<Int>(0)

    /// - Parameter identifier: `SYSLOG_IDENTIFIER`, the name in front of each line of journalctl.
    package init(output: JournalOutput, identifier: String = "autofilld") {
        self.output = output
        self.identifier = identifier.onOneLine
        socket = if case .journal = output { af_datagram_socket() } else { -1 }
    }

    deinit { af_close(socket) }

    package func write(_ entry: JournalEntry) {
        switch output {
        case .standardError:
            let line = Array("\(entry.message.onOneLine)\n".utf8)
            af_write_standard_error(line, line.count)
        case .journal(let path):
            announceLost(to: path)
            if !send(entry, to: path) { lost.add(1, ordering: .relaxed) }
        }
    }

    private func announceLost(to path: String) {
        let count = lost.exchange(0, ordering: .relaxed)
        guard count > 0 else { return }
        let notice = JournalEntry(message: "Entries before this one were lost: \(count).", priority: .warning)
        if !send(notice, to: path) { lost.add(count, ordering: .relaxed) }
    }

    private func send(_ entry: JournalEntry, to path: String) -> Bool {
        let bytes = entry.datagram(identifier: identifier)
        return af_send_datagram(socket, path, bytes, bytes.count) == 0
    }
}
