// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SyncCarrier
internal import Systemd

/// What this process states in the journal, and in its status: each once until it changes.
final class CarrierLog {
    private let journal: JournalWriter
    private let notifier: ServiceNotifier
    private var last: String?

    init(_ journal: JournalWriter, _ notifier: ServiceNotifier) { (self.journal, self.notifier) = (journal, notifier) }

    func begin() { notifier.ready(status: "starting") }

    func report(_ outcome: RoundOutcome) {
        if let problem = outcome.problem {
            report("\(problem.code.rawValue): \(problem.detail)", priority: .warning)
        } else if outcome.waiting == 0 {
            report("All files are carried.", priority: .info)
        }
    }

    func report(_ restored: RestoredFiles) {
        let what = restored.files == 1 ? "A file" : "\(restored.files) files"
        let message = "\(what) of this machine had been lost or changed at the location: written again."
        journal.write(JournalEntry(message: message, priority: .warning))
    }

    func fail(_ text: String) { report(text, priority: .error) }

    private func report(_ text: String, priority: JournalPriority) {
        guard text != last else { return }
        last = text
        notifier.status(text)
        journal.write(JournalEntry(message: text, priority: priority))
    }
}
