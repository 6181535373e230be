// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// Looks once a second whether the programs still run that have the person asked, for as long as there are any.
final class PromptWatch {
    private var timer: LoopTimer?

    /// - Parameter look: returns whether anybody still has the person asked.
    func begin(on loop: EventLoop, look: @escaping () -> Bool) {
        timer = LoopTimer(on: loop, clock: .boottime, slack: .milliseconds(100)) { [unowned self] in
            if look() { arm() }
        }
    }

    func end() { timer = nil }

    /// Somebody has the person asked.
    func arm() {
        if timer?.deadline == nil { timer?.schedule(after: .milliseconds(Limits.promptPeerMilliseconds)) }
    }
}
