// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// How long the end of the service waits for the connections.
final class Stopping {
    struct Standing {
        /// Whether there is nothing to wait for any more.
        let isDone: Bool
        /// How often answers have left.
        let departures: Int
    }

    /// How often it is looked.
    private static let interval = Duration.milliseconds(20)

    private let loop: EventLoop
    private let look: () -> Standing
    private let wait: Wait<Void>
    private let end: Instant
    /// When those that do not read are not waited for any more.
    private var deadline: Instant
    private var departures = 0
    private var timer: LoopTimer?

    init(on loop: EventLoop, look: @escaping () -> Standing) {
        self.loop = loop
        self.look = look
        wait = Wait(on: loop)
        let now = loop.clocks.monotonic()
        end = now + .milliseconds(Limits.stoppingAnswersMilliseconds)
        deadline = now + .milliseconds(Limits.stoppingMilliseconds)
        timer = LoopTimer(on: loop) { [unowned self] in lookAgain() }
        timer?.schedule(after: Self.interval)
    }

    /// Returns when there are no connections, or nothing is to be waited for any more.
    func end() async { try? await wait.value() }

    var hasEnded: Bool { wait.isEnded }

    private func lookAgain() {
        let standing = look()
        let now = loop.clocks.monotonic()
        if standing.departures != departures {
            departures = standing.departures
            deadline = now + .milliseconds(Limits.stoppingMilliseconds)
        }
        if standing.isDone || now >= min(deadline, end) {
            wait.resume()
        } else {
            timer?.schedule(after: Self.interval)
        }
    }
}
