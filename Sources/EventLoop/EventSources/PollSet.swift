// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import CSystemd

/// The epoll set in which the loop waits: the members of its descriptor sets, the loop's own bell, and sd-event as one
/// more.
///
/// Descriptors that are served often lie in the outermost set, not in one within sd-event's: a request costs one
/// epoll_wait(2), and the kernel's hint that the writer is about to wait for its answer is not lost on the way.
final class PollSet {
    private struct Slot {
        var generation: UInt32 = 0
        var descriptor: Int32 = -1
        var events: IOEvents = []
        /// Not retained: a set that is released removes its members.
        var owner: Unmanaged<DescriptorSet>?
    }

    /// How much is served in one turn.
    static let batch = 64
    private static let eventToken = UInt64.max
    private static let bellToken = UInt64.max - 1

    private let sources: SystemdSources
    private let bell: Int32
    private let epoll: Int32
    private var slots: [Slot] = []
    private var free: [Int] = []
    private let ready = UnsafeMutablePointer<af_ready>.allocate(capacity: batch)

    /// - Parameter bell: an eventfd that another thread rings; it stays the caller's.
    init(_ sources: SystemdSources, bell: Int32) {
        self.sources = sources
        self.bell = bell
        epoll = af_epoll_open()
    }

    deinit {
        ready.deallocate()
        if epoll >= 0 { af_close(epoll) }
    }

    func start() throws(LoopError) {
        try LoopError.check(epoll, "epoll_create1")
        try watch(sources.descriptor, .readable, Self.eventToken)
        try watch(bell, .readable, Self.bellToken)
    }

    private func watch(_ descriptor: Int32, _ events: IOEvents, _ token: UInt64) throws(LoopError) {
        try LoopError.check(
            af_epoll_control(epoll, Int32(AF_EPOLL_ADD), descriptor, events.rawValue, token), "epoll_ctl")
    }

    // MARK: - Members

    func add(_ descriptor: Int32, events: IOEvents, of owner: DescriptorSet) throws(LoopError) -> DescriptorToken {
        let index = free.last ?? slots.count
        if index == slots.count { slots.append(Slot()) } else { free.removeLast() }
        let token = DescriptorToken(rawValue: UInt64(slots[index].generation) << 32 | UInt64(index))
        do throws(LoopError) {
            try watch(descriptor, events, token.rawValue)
        } catch {
            free.append(index)
            throw error
        }
        slots[index].descriptor = descriptor
        slots[index].events = events
        slots[index].owner = .passUnretained(owner)
        return token
    }

    /// - Parameter token: a member's.
    func modify(_ token: DescriptorToken, events: IOEvents) {
        guard slots[token.index].events != events else { return }
        slots[token.index].events = events
        _ = af_epoll_control(
            epoll, Int32(AF_EPOLL_MODIFY), slots[token.index].descriptor, events.rawValue, token.rawValue)
    }

    /// - Parameter token: a member's.
    func remove(_ token: DescriptorToken) {
        _ = af_epoll_control(epoll, Int32(AF_EPOLL_REMOVE), slots[token.index].descriptor, 0, 0)
        slots[token.index].descriptor = -1
        slots[token.index].owner = nil
        slots[token.index].generation &+= 1
        free.append(token.index)
    }

    func removeAll(of owner: DescriptorSet) {
        let own = Unmanaged.passUnretained(owner).toOpaque()
        for (index, slot) in slots.enumerated() where slot.owner?.toOpaque() == own {
            remove(DescriptorToken(rawValue: UInt64(slot.generation) << 32 | UInt64(index)))
        }
    }

    func owner(of token: DescriptorToken) -> DescriptorSet? { slot(of: token)?.owner?.takeUnretainedValue() }

    /// A copy; nil where the member was removed.
    private func slot(of token: DescriptorToken) -> Slot? {
        guard token.index < slots.count, case let slot = slots[token.index], slot.generation == token.generation else {
            return nil
        }
        return slot
    }

    // MARK: - A turn

    /// Waits, then serves one source of sd-event and a batch of members.
    /// - Parameter milliseconds: how long it waits; for ever if negative.
    /// - Returns: whether anything was ready, and whether more may be.
    func serve(_ milliseconds: Int32) throws(LoopError) -> (served: Bool, hasMore: Bool) {
        let isPending = try sources.prepare()
        let count = Int(
            try LoopError.check(
                af_epoll_wait(epoll, ready, Int32(Self.batch), isPending ? 0 : milliseconds), "epoll_wait"))
        var served = isPending
        // After a full batch sd-event may not have been served yet.
        var sourcesAreReady = isPending || count == Self.batch
        for index in 0..<count where ready[index].token >= Self.bellToken {
            if ready[index].token == Self.eventToken { sourcesAreReady = true } else { af_event_clear(bell) }
        }
        if sourcesAreReady { served = try sources.dispatch() || served }
        for index in 0..<count where ready[index].token < Self.bellToken {
            let token = DescriptorToken(rawValue: ready[index].token)
            guard let slot = slot(of: token), let owner = slot.owner else { continue }
            // A member that was modified in this batch may not watch all events any more that were ready before.
            let due = IOEvents(rawValue: ready[index].events).intersection(slot.events.union(.always))
            guard !due.isEmpty else { continue }
            // The handler alone is kept: it may release its set.
            let handler = owner._withUnsafeGuaranteedRef { $0.handler }
            handler(token, due)
        }
        return (served || count > 0, count == Self.batch)
    }
}
