// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Sends keep-alives to the service manager's watchdog from the loop, at half of its interval: they stop when the loop
/// hangs. Replaces sd_event_set_watchdog(3), which blocks while the manager does not read.
package final class Watchdog {
    private let notifier: ServiceNotifier
    private let pause: Duration
    private var timer: LoopTimer?

    /// - Parameter interval: the manager ends the service if it has received no keep-alive for so long.
    package init(on loop: EventLoop, feeding notifier: ServiceNotifier, interval: Duration) {
        self.notifier = notifier
        pause = interval / 2
        timer = LoopTimer(on: loop) { [unowned self] in feed() }
        feed()
    }

    private func feed() {
        notifier.feedWatchdog()
        timer?.schedule(after: pause)
    }
}
