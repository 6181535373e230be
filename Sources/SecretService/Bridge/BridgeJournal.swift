// SPDX-License-Identifier: Apache-2.0
package import EventLoop
package import Systemd

/// The bridge's own journal entries: refusals of the daemon are in the daemon's journal already. A repeated failure is
/// written once per interval.
package final class BridgeJournal {
    private let writer: JournalWriter
    private let loop: EventLoop
    private var written: [JournalEntry: Instant] = [:]

    package init(_ writer: JournalWriter, on loop: EventLoop) { (self.writer, self.loop) = (writer, loop) }

    /// Writes a failure, with its fix.
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
            // A flood of different entries is not worth reading.
            guard written.count < BridgeLimits.rememberedLines else { return }
        }
        written[entry] = now
        writer.write(entry)
    }
}
