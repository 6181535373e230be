// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SyncCarrier

/// Watches directories for what the carrier reads. A folder that others write to over a network often reports nothing.
final class DirectoryWatches {
    var changed: () -> Void = {}

    private let loop: EventLoop
    private var sources: [String: InotifySource] = [:]

    private static let events: FileEvents = [
        .writtenAndClosed, .movedFrom, .movedTo, .created, .deleted, .selfDeleted, .selfMoved,
    ]

    init(on loop: EventLoop) { self.loop = loop }

    /// Watches these directories, as far as they exist, and no others.
    ///
    /// - Returns: whether one is watched that was not watched before.
    @discardableResult
    func set(_ paths: [String]) -> Bool {
        let wanted = Set(paths)
        sources = sources.filter { wanted.contains($0.key) }
        var isAnyNew = false
        for path in wanted where sources[path] == nil {
            sources[path] = try? InotifySource(on: loop, path: path, events: Self.events) {
                [unowned self] events, name in
                if events.contains(.ended) || events.contains(.selfMoved) { sources[path] = nil }
                if name.map(Self.isRead) ?? true { changed() }
            }
            if sources[path] != nil { isAnyNew = true }
        }
        return isAnyNew
    }

    /// Whether a file or directory of this name is read.
    private static func isRead(_ name: String) -> Bool {
        ["carrier.json", "out", "in"].contains(name) || CarriedFileName.isIdentifier(name)
            || CarriedFileName(name) != nil
    }
}
