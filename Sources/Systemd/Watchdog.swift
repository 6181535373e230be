// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Feeds the service manager's watchdog from the loop, at half of its interval: it stops when the loop hangs. In place of
/// sd_event_set_watchdog(3), which blocks for as long as the manager does not read.
package final class Watchdog {
    private let notifier: ServiceNotifier
    private let pause: Duration
    private var timer: LoopTimer?

    /// - Parameter interval: the manager ends the service when it has had no sign of life for so long.
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
