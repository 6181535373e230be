// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// The signals that the daemon answers to, from its start on.
final class Signals {
    enum Order { case stop, reload }

    private var sources: [SignalSource] = []
    /// Orders that came before there was anybody to receive them.
    private var early: [Order] = []
    private var receive: ((Order) -> Void)?

    init(on loop: EventLoop) throws(LoopError) {
        for (signal, order) in [(SIGTERM, Order.stop), (SIGINT, .stop), (SIGHUP, .reload)] {
            sources.append(try SignalSource(on: loop, signal: signal) { [unowned self] in take(order) })
        }
    }

    func begin(_ receive: @escaping (Order) -> Void) {
        self.receive = receive
        for order in early { receive(order) }
        early = []
    }

    private func take(_ order: Order) {
        if let receive { receive(order) } else { early.append(order) }
    }
}
