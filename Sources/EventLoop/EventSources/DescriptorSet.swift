// SPDX-License-Identifier: Apache-2.0

/// A descriptor's membership in a `DescriptorSet`: never reused in the lifetime of a loop.
package struct DescriptorToken: Hashable, Sendable {
    let rawValue: UInt64

    /// Small, and unique among the present members: an index for an array beside the set.
    package var index: Int { Int(rawValue & 0xFFFF_FFFF) }

    var generation: UInt32 { UInt32(rawValue >> 32) }
}

/// Many descriptors with one handler, level-triggered, in the set in which the loop itself waits: sd-event's time for
/// each of its own sources grows with their number. It owns no descriptor: remove each before closing it.
package final class DescriptorSet {
    /// How many are served before other sources.
    package static var batch: Int { PollSet.batch }

    let handler: (DescriptorToken, IOEvents) -> Void
    private let loop: EventLoop
    package private(set) var count = 0

    private var poll: PollSet { loop.core.poll }

    /// - Parameter handler: may add, modify and remove members, also those that are served next.
    package init(on loop: EventLoop, handler: @escaping (DescriptorToken, IOEvents) -> Void) {
        self.loop = loop
        self.handler = handler
    }

    deinit { poll.removeAll(of: self) }

    /// - Throws: the error of epoll_ctl(2): EPERM for a plain file, EEXIST for a member, ENOSPC above the user's limit.
    package func add(_ descriptor: Int32, events: IOEvents) throws(LoopError) -> DescriptorToken {
        loop.checkMayChange()
        let token = try poll.add(descriptor, events: events, of: self)
        count += 1
        return token
    }

    /// No effect for a member that was removed. Without events only a failure and a hang-up are reported, with `once` alone
    /// one of them at most.
    package func modify(_ token: DescriptorToken, events: IOEvents) {
        loop.checkMayChange()
        if isMember(token) { poll.modify(token, events: events) }
    }

    /// No effect for a member that was removed.
    package func remove(_ token: DescriptorToken) {
        loop.checkMayChange()
        guard isMember(token) else { return }
        poll.remove(token)
        count -= 1
    }

    package func isMember(_ token: DescriptorToken) -> Bool { poll.owner(of: token) === self }
}
