// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop

/// What sites answer, in the place of the program that asks them.
final class TestSiteAnswers {
    /// Nothing can be reached unless a test sets it.
    var answer: (AssociationQuery) -> AssociationReport = { .unavailable($0, "there is no network here") }
    /// Whether sites have not answered yet.
    var isSilent = false
    private(set) var asked: [(query: AssociationQuery, answer: Wait<AssociationReport>)] = []
    private let loop: EventLoop
    private let thread: LoopThread

    init(on loop: EventLoop, _ thread: LoopThread) {
        self.loop = loop
        self.thread = thread
    }

    func fetch(_ query: AssociationQuery) async -> AssociationReport {
        thread.note()
        guard isSilent else { return answer(query) }
        let wait = Wait<AssociationReport>(on: loop)
        asked.append((query, wait))
        defer { asked.removeAll { $0.answer === wait } }
        return (try? await wait.value()) ?? .unavailable(query, "nobody waits for it any more")
    }

    func end(_ query: AssociationQuery, with report: AssociationReport) -> Bool {
        asked.first { $0.query == query && !$0.answer.isEnded }?.answer.resume(returning: report) ?? false
    }
}
