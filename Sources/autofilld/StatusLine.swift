// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Systemd

/// The line for `systemctl status`: sent when it changes, and where only numbers have changed, at most some ten times a second.
final class StatusLine {
    private static let pause = Duration.milliseconds(100)

    private let notifier: ServiceNotifier
    private var waiting: String?
    private var timer: LoopTimer?

    init(on loop: EventLoop, notifier: ServiceNotifier) {
        self.notifier = notifier
        timer = LoopTimer(on: loop, slack: .milliseconds(20)) { [unowned self] in
            if let line = waiting { show(line, mayWait: false) }
        }
    }

    func show(_ line: String, mayWait: Bool) {
        guard mayWait else {
            waiting = nil
            timer?.cancel()
            return notifier.status(line)
        }
        waiting = line
        if timer?.deadline == nil { timer?.schedule(after: Self.pause) }
    }
}
