// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// How long the end of the service waits for the connections.
final class Stopping {
    struct Status {
        /// Whether no connection is left.
        let isDone: Bool
        /// How often answers were sent.
        let departures: Int
    }

    /// The time between two checks.
    private static let interval = Duration.milliseconds(20)

    private let loop: EventLoop
    private let check: () -> Status
    private let wait: Wait<Void>
    private let end: Instant
    /// When peers that do not read are not waited for any more.
    private var deadline: Instant
    private var departures = 0
    private var timer: LoopTimer?

    init(on loop: EventLoop, check: @escaping () -> Status) {
        self.loop = loop
        self.check = check
        wait = Wait(on: loop)
        let now = loop.clocks.monotonic()
        end = now + .milliseconds(Limits.stoppingAnswersMilliseconds)
        deadline = now + .milliseconds(Limits.stoppingMilliseconds)
        timer = LoopTimer(on: loop) { [unowned self] in checkAgain() }
        timer?.schedule(after: Self.interval)
    }

    /// Returns when there are no connections, or a deadline is reached.
    func end() async { try? await wait.value() }

    var hasEnded: Bool { wait.isEnded }

    private func checkAgain() {
        let status = check()
        let now = loop.clocks.monotonic()
        if status.departures != departures {
            departures = status.departures
            deadline = now + .milliseconds(Limits.stoppingMilliseconds)
        }
        if status.isDone || now >= min(deadline, end) {
            wait.resume()
        } else {
            timer?.schedule(after: Self.interval)
        }
    }
}
