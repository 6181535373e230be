// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// A descriptor's membership in a `DescriptorSet`: never given twice in the life of a set.
package struct DescriptorToken: Hashable, Sendable {
    let rawValue: UInt64

    /// Small, and unique among the members of the moment: an index for an array beside the set.
    package var index: Int { Int(rawValue & 0xFFFF_FFFF) }

    var generation: UInt32 { UInt32(rawValue >> 32) }
}

/// Many descriptors as one source of the loop, level-triggered: an epoll set of its own, for sd-event's time for each of its own
/// sources grows with their number. It owns no descriptor: remove each before closing it.
package final class DescriptorSet {
    private struct Slot {
        var generation: UInt32 = 0
        var descriptor: Int32 = -1
        var events: IOEvents = []
    }

    /// How many are served before other sources get their turn.
    package static let batch = 64

    private let loop: EventLoop
    private let epoll: Int32
    private let handler: (DescriptorToken, IOEvents) -> Void
    private var slots: [Slot] = []
    private var free: [Int] = []
    private let ready = UnsafeMutablePointer<af_ready>.allocate(capacity: batch)
    private var source: IOSource?

    /// - Parameter handler: may add, modify and remove members, also those whose turn it is next.
    package init(
        on loop: EventLoop, priority: Int64 = 0, handler: @escaping (DescriptorToken, IOEvents) -> Void
    ) throws(LoopError) {
        self.loop = loop
        self.handler = handler
        epoll = af_epoll_open()
        try LoopError.check(epoll, "epoll_create1")
        source = try IOSource(on: loop, descriptor: epoll, events: .readable, priority: priority) { [unowned self] _ in
            serve()
        }
    }

    deinit {
        source = nil
        ready.deallocate()
        if epoll >= 0 { af_close(epoll) }
    }

    package var count: Int { slots.count - free.count }

    /// - Throws: what epoll_ctl(2) says: EPERM for a plain file, EEXIST for a member, ENOSPC above the user's limit.
    package func add(_ descriptor: Int32, events: IOEvents) throws(LoopError) -> DescriptorToken {
        loop.checkMayChange()
        let index = free.last ?? slots.count
        if index == slots.count { slots.append(Slot()) } else { free.removeLast() }
        let token = DescriptorToken(rawValue: UInt64(slots[index].generation) << 32 | UInt64(index))
        let result = af_epoll_control(epoll, Int32(AF_EPOLL_ADD), descriptor, events.rawValue, token.rawValue)
        guard result >= 0 else {
            free.append(index)
            throw LoopError(operation: "epoll_ctl", errno: -result)
        }
        slots[index].descriptor = descriptor
        slots[index].events = events
        return token
    }

    /// Does nothing for a member that was removed. With no event only a failure and a hang-up are told.
    package func modify(_ token: DescriptorToken, events: IOEvents) {
        loop.checkMayChange()
        guard isMember(token), slots[token.index].events != events else { return }
        slots[token.index].events = events
        _ = af_epoll_control(
            epoll, Int32(AF_EPOLL_MODIFY), slots[token.index].descriptor, events.rawValue, token.rawValue)
    }

    /// Does nothing for a member that was removed.
    package func remove(_ token: DescriptorToken) {
        loop.checkMayChange()
        guard isMember(token) else { return }
        _ = af_epoll_control(epoll, Int32(AF_EPOLL_REMOVE), slots[token.index].descriptor, 0, 0)
        slots[token.index].descriptor = -1
        slots[token.index].generation &+= 1
        free.append(token.index)
    }

    package func isMember(_ token: DescriptorToken) -> Bool {
        token.index < slots.count && slots[token.index].generation == token.generation
            && slots[token.index].descriptor >= 0
    }

    private func serve() {
        let count = Int(af_epoll_ready(epoll, ready, Int32(Self.batch)))
        loop.core.hasMoreReady = count == Self.batch
        for index in 0..<max(0, count) {
            let token = DescriptorToken(rawValue: ready[index].token)
            guard isMember(token) else { continue }
            // A member that was modified in this batch may not want to hear any more of what was ready before.
            let events = IOEvents(rawValue: ready[index].events).intersection(slots[token.index].events.union(.always))
            if !events.isEmpty { handler(token, events) }
        }
    }
}
