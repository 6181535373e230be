// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// The events of a file or directory: the bits of inotify(7).
package struct FileEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let modified = FileEvents(rawValue: 0x002)
    package static let attributesChanged = FileEvents(rawValue: 0x004)
    package static let writtenAndClosed = FileEvents(rawValue: 0x008)
    package static let movedFrom = FileEvents(rawValue: 0x040)
    package static let movedTo = FileEvents(rawValue: 0x080)
    package static let created = FileEvents(rawValue: 0x100)
    package static let deleted = FileEvents(rawValue: 0x200)
    package static let selfDeleted = FileEvents(rawValue: 0x400)
    package static let selfMoved = FileEvents(rawValue: 0x800)
    /// Always reported last: the watched file was deleted or unmounted, and the watch with it.
    package static let ended = FileEvents(rawValue: 0x8000)

    /// All after which a directory of configuration files is to be read again.
    package static let directoryChanged: FileEvents = [
        .writtenAndClosed, .movedFrom, .movedTo, .created, .deleted, .selfDeleted, .selfMoved, .attributesChanged,
    ]
}

/// Watches a file or a directory (not its subdirectories). It follows the file, not its name.
package final class InotifySource {
    private let loop: EventLoop
    private let handler: (FileEvents, _ name: String?) -> Void
    private var source: OpaquePointer?

    /// - Parameter handler: gets the name of a file in the directory, or nil where the directory or file itself is
    ///   meant.
    package init(
        on loop: EventLoop, path: String, events: FileEvents,
        handler: @escaping (FileEvents, _ name: String?) -> Void
    ) throws(LoopError) {
        loop.checkMayChange()
        self.loop = loop
        self.handler = handler
        let own = Unmanaged.passUnretained(self).toOpaque()
        try LoopError.check(
            sd_event_add_inotify(loop.event, &source, path, events.rawValue, Self.hasChanged, own),
            "sd_event_add_inotify")
    }

    deinit {
        loop.checkMayChange()
        sd_event_source_disable_unref(source)
    }

    private static let hasChanged: sd_event_inotify_handler_t = { _, event, context in
        guard let event, let context else { return 0 }
        let source = Unmanaged<InotifySource>.fromOpaque(context).takeUnretainedValue()
        // The name follows the event's fixed header, ended by at least one zero.
        let name =
            event.pointee.len == 0
            ? nil : String(cString: UnsafeRawPointer(event + 1).assumingMemoryBound(to: CChar.self))
        source.handler(FileEvents(rawValue: event.pointee.mask), name)
        return 0
    }
}
