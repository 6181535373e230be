// SPDX-License-Identifier: Apache-2.0

/// Has one task wait until a descriptor is ready. It neither owns nor closes the descriptor: release it before closing
/// that.
package final class Readiness {
    private let loop: EventLoop
    private var source: IOSource?
    private var waiting: Wait<Void>?

    package init(on loop: EventLoop, descriptor: Int32) throws(LoopError) {
        self.loop = loop
        source = try IOSource(on: loop, descriptor: descriptor, events: .readable) { [unowned self] _ in
            _ = waiting?.resume()
        }
        source?.isEnabled = false
    }

    /// Always waits in the loop, so that a peer that never stops sending does not block other work. Failed and hung up
    /// count as ready. Called by one task at a time, on an actor whose executor is the loop.
    ///
    /// - Parameter deadline: on CLOCK_MONOTONIC. Once it has passed, nothing is reported as ready.
    package func wait(for events: IOEvents, until deadline: Instant? = nil) async throws(WaitFailure) {
        if let deadline, deadline <= loop.clocks.monotonic() { throw .deadline }
        let wait = Wait<Void>(on: loop)
        waiting = wait
        source?.setEvents(events)
        source?.isEnabled = true
        defer {
            source?.isEnabled = false
            waiting = nil
        }
        try await wait.value(until: deadline)
    }
}
