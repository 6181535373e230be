// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// The signals that the daemon answers to, from its start on.
final class Signals {
    enum Order { case stop, reload }

    private var sources: [SignalSource] = []
    /// Orders that came before anybody heard them.
    private var early: [Order] = []
    private var hear: ((Order) -> Void)?

    init(on loop: EventLoop) throws(LoopError) {
        for (signal, order) in [(SIGTERM, Order.stop), (SIGINT, .stop), (SIGHUP, .reload)] {
            sources.append(try SignalSource(on: loop, signal: signal) { [unowned self] in take(order) })
        }
    }

    func begin(_ hear: @escaping (Order) -> Void) {
        self.hear = hear
        for order in early { hear(order) }
        early = []
    }

    private func take(_ order: Order) {
        if let hear { hear(order) } else { early.append(order) }
    }
}
