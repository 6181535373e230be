// SPDX-License-Identifier: Apache-2.0
/// What a descriptor is ready for: the bits of epoll(7).
package struct IOEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = IOEvents(rawValue: 0x001)
    package static let writable = IOEvents(rawValue: 0x004)
    /// Told without being asked for.
    package static let failed = IOEvents(rawValue: 0x008)
    /// Told without being asked for, again and again until the descriptor is removed.
    package static let hungUp = IOEvents(rawValue: 0x010)

    /// What is told whether it is asked for or not.
    static let always: IOEvents = [.failed, .hungUp]
}
