// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// Watches one descriptor, level-triggered. It neither owns nor closes it: release the source before closing the
/// descriptor. A source that is released by its own handler ends at once.
package final class IOSource {
    private let loop: EventLoop
    private let handler: (IOEvents) -> Void
    private var source: OpaquePointer?

    /// - Parameter priority: sources with a lower number are served first, always; most have 0.
    package init(
        on loop: EventLoop, descriptor: Int32, events: IOEvents, priority: Int64 = 0,
        handler: @escaping (IOEvents) -> Void
    ) throws(LoopError) {
        loop.checkMayChange()
        self.loop = loop
        self.handler = handler
        let own = Unmanaged.passUnretained(self).toOpaque()
        try LoopError.check(
            sd_event_add_io(loop.event, &source, descriptor, events.rawValue, Self.isReady, own), "sd_event_add_io")
        try LoopError.check(sd_event_source_set_priority(source, priority), "sd_event_source_set_priority")
    }

    deinit {
        loop.checkMayChange()
        sd_event_source_disable_unref(source)
    }

    /// The watched events. Without events it is still called after a hang-up: switch it off with `isEnabled`.
    package func setEvents(_ events: IOEvents) {
        loop.checkMayChange()
        sd_event_source_set_io_events(source, events.rawValue)
    }

    /// While false, no event is reported, not even a hang-up.
    package var isEnabled = true {
        didSet {
            loop.checkMayChange()
            sd_event_source_set_enabled(source, Int32(isEnabled ? SD_EVENT_ON : SD_EVENT_OFF))
        }
    }

    // A negative result would switch the source off.
    private static let isReady: sd_event_io_handler_t = { _, _, events, context in
        guard let context else { return 0 }
        // Only its handler is retained: a handler that releases the source may close the descriptor next. A descriptor
        // that is still in the loop's set when it is closed remains there as long as another process has it, with a
        // released source.
        let handler = Unmanaged<IOSource>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.handler }
        handler(IOEvents(rawValue: events))
        return 0
    }
}
