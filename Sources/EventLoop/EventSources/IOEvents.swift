// SPDX-License-Identifier: Apache-2.0
/// The events of a descriptor: the bits of epoll(7).
package struct IOEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = IOEvents(rawValue: 0x001)
    package static let writable = IOEvents(rawValue: 0x004)
    /// Always reported.
    package static let failed = IOEvents(rawValue: 0x008)
    /// Always reported, in each turn until the descriptor is removed; with `once` one time.
    package static let hungUp = IOEvents(rawValue: 0x010)

    /// With these events one event is reported, a hang-up too, and then none until the member is modified (EPOLLONESHOT).
    package static let once = IOEvents(rawValue: 1 << 30)

    /// The events that are always reported.
    static let always: IOEvents = [.failed, .hungUp]
}
