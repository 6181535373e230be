// SPDX-License-Identifier: Apache-2.0
import EventLoop

/// Notes whether the service has called the world on another thread than its loop's.
final class LoopThread {
    private(set) var wasLeft = false
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func note() { wasLeft = wasLeft || !loop.isCurrent }
}
