// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Work that several requests wait for, by its key: it begins once for any number of requests, and its outcome is reported to
/// all of them.
final class SharedWork<Key: Hashable, Outcome: Sendable> {
    private final class Running {
        var waiting: [Wait<Outcome>] = []
        var task: Task<Void, Never>?
    }

    private let tasks: TaskStarter
    /// Whether work that nobody waits for any more is cancelled; else it goes on to its end.
    private let endsUnawaited: Bool
    private var running: [Key: Running] = [:]

    init(_ tasks: TaskStarter, endsUnawaited: Bool) {
        self.tasks = tasks
        self.endsUnawaited = endsUnawaited
    }

    func isRunning(_ key: Key) -> Bool { running[key] != nil }

    /// Begins the work where it is not under way.
    func begin(_ key: Key, _ work: @escaping () async -> Outcome) {
        if running[key] == nil { start(key, [], work) }
    }

    /// Waits for the end of work that is under way, or begins now.
    func outcome(
        of key: Key, within limit: Duration, _ work: @escaping () async -> Outcome
    ) async throws(WaitFailure) -> Outcome {
        let wait = Wait<Outcome>(on: tasks.loop)
        if let under = running[key] { under.waiting.append(wait) } else { start(key, [wait], work) }
        do throws(WaitFailure) {
            return try await wait.value(until: tasks.loop.clocks.monotonic() + limit)
        } catch {
            leave(key, wait)
            throw error
        }
    }

    private func start(_ key: Key, _ waiting: [Wait<Outcome>], _ work: @escaping () async -> Outcome) {
        let begun = Running()
        begun.waiting = waiting
        running[key] = begun
        weak let own = self
        begun.task = tasks.start {
            let outcome = await work()
            // Work that was cancelled ends later, and does not end the work that replaced it.
            if own?.running[key] === begun { own?.end(key, with: outcome) }
        }
    }

    /// Reports an outcome to all that wait; what the work itself returns afterwards is not reported.
    func end(_ key: Key, with outcome: Outcome) {
        guard let ended = running.removeValue(forKey: key) else { return }
        ended.task?.cancel()
        for wait in ended.waiting { wait.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ wait: Wait<Outcome>) {
        running[key]?.waiting.removeAll { $0 === wait }
        guard endsUnawaited, running[key]?.waiting.isEmpty == true else { return }
        running.removeValue(forKey: key)?.task?.cancel()
    }

    /// Cancels all, and notifies nobody.
    func cancelAll() {
        for work in running.values { work.task?.cancel() }
        running = [:]
    }
}
