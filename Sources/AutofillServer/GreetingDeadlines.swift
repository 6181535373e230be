// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// Reports connections whose time for a complete `hello` is over. All have the same time, so one timer is enough.
final class GreetingDeadlines {
    private let loop: EventLoop
    private let expire: (DescriptorToken) -> Bool
    private var waiting = Queue<(deadline: Instant, token: DescriptorToken)>()
    private var timer: LoopTimer?

    /// - Parameter expire: returns whether the connection gets the same time again.
    init(on loop: EventLoop, expire: @escaping (DescriptorToken) -> Bool) {
        self.loop = loop
        self.expire = expire
        timer = LoopTimer(on: loop, slack: .milliseconds(100)) { [unowned self] in expireDue() }
    }

    func add(_ token: DescriptorToken) {
        let deadline = loop.clocks.monotonic() + .milliseconds(Limits.helloMilliseconds)
        waiting.append((deadline, token))
        if timer?.deadline == nil { timer?.schedule(at: deadline) }
    }

    private func expireDue() {
        let now = loop.clocks.monotonic()
        while let first = waiting.first, first.deadline <= now {
            _ = waiting.popFirst()
            if expire(first.token) { add(first.token) }
        }
        if let first = waiting.first { timer?.schedule(at: first.deadline) }
    }
}
