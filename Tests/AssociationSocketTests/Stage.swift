// SPDX-License-Identifier: Apache-2.0
import AssociationSocket
import AutofillProtocol
import EventLoop
import Synchronization

/// An actor on a loop with clocks that the test sets, which sends queries and stores the answers.
actor Stage {
    nonisolated let loop: EventLoop
    nonisolated let clock: ManualClock
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var task: Task<Void, Never>?
    private var received: AssociationReport?

    init() throws {
        clock = ManualClock()
        loop = try EventLoop(clocks: clock.clocks)
    }

    /// Starts asking, here and now.
    nonisolated func ask(_ query: AssociationQuery, at socket: String?) {
        assumeIsolated { $0.begin(query, socket) }
    }

    private func begin(_ query: AssociationQuery, _ socket: String?) {
        task = Task.immediate {
            self.received = await AssociationRequester(socket: socket, on: self.loop).report(on: query)
        }
    }

    nonisolated func cancel() { assumeIsolated { $0.task?.cancel() } }

    /// The answer; nil while it waits.
    nonisolated var report: AssociationReport? { assumeIsolated { $0.received } }
}
