// SPDX-License-Identifier: Apache-2.0
import SyncMerge

/// A file that a machine wrote. The hash in its name is that of its content.
final class WorldFile {
    struct Name: Hashable, Comparable {
        let device: DeviceID
        let sequence: UInt64
        let hash: Int
        var isConflict = false

        static func < (left: Name, right: Name) -> Bool { left.hash < right.hash }
    }

    let name: Name
    let summary: FileSummary
    let operations: [SyncOperation]
    let cuts: [DeviceID: UInt64]
    /// The events that it publishes; the events that its writer knew.
    let events: EventSet
    let seen: EventSet

    init(
        hash: Int, summary: FileSummary, operations: [SyncOperation], cuts: [DeviceID: UInt64], events: EventSet,
        seen: EventSet
    ) {
        name = Name(device: summary.device, sequence: summary.range.upperBound, hash: hash)
        self.summary = summary
        self.operations = operations
        self.cuts = cuts
        self.events = events
        self.seen = seen
    }
}

/// A directory: names in the order of arrival, and the files, of which some are truncated.
struct WorldFolder {
    struct Entry {
        let file: WorldFile
        let isTruncated: Bool
    }

    private(set) var names: [WorldFile.Name] = []
    private var entries: [WorldFile.Name: Entry] = [:]

    subscript(name: WorldFile.Name) -> Entry? { entries[name] }

    mutating func put(_ file: WorldFile, as name: WorldFile.Name? = nil, isTruncated: Bool = false) {
        let name = name ?? file.name
        if entries.updateValue(Entry(file: file, isTruncated: isTruncated), forKey: name) == nil { names.append(name) }
    }

    mutating func remove(where isRemoved: (WorldFile.Name) -> Bool) {
        let removed = names.filter(isRemoved)
        guard !removed.isEmpty else { return }
        for name in removed { entries[name] = nil }
        names.removeAll { entries[$0] == nil }
    }
}
