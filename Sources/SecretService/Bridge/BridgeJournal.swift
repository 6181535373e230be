// SPDX-License-Identifier: Apache-2.0
package import EventLoop
package import Systemd

/// What the bridge itself writes to the journal: what the daemon refuses is in the daemon's journal already. A caller that fails
/// again and again writes a line once in a while.
package final class BridgeJournal {
    private let writer: JournalWriter
    private let loop: EventLoop
    private var written: [JournalEntry: Instant] = [:]

    package init(_ writer: JournalWriter, on loop: EventLoop) { (self.writer, self.loop) = (writer, loop) }

    /// Writes what went wrong, with what mends it.
    package func warn(_ message: String, reason: String? = nil, fix: String? = nil) {
        var fields: [JournalField] = []
        if let reason { fields.append(JournalField(.reason, reason)) }
        if let fix { fields.append(JournalField(.fix, fix)) }
        write(JournalEntry(message: message, priority: .warning, fields: fields))
    }

    private func write(_ entry: JournalEntry) {
        let now = loop.clocks.monotonic()
        let recent = Duration.milliseconds(BridgeLimits.journalMilliseconds)
        if let before = written[entry], now - before < recent { return }
        if written.count >= BridgeLimits.rememberedLines {
            written = written.filter { now - $0.value < recent }
            // A flood of different lines is none worth reading.
            guard written.count < BridgeLimits.rememberedLines else { return }
        }
        written[entry] = now
        writer.write(entry)
    }
}
