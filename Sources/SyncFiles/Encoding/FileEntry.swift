// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncMerge
internal import VaultFormat

/// One entry of a file's content: a record's elements and marks, or a counter.
enum FileEntry {
    case record(ObjectID, SyncRecord)
    case counter(OneTimeCode.Nonce, DeviceID, SyncState.Counter)

    /// The first byte of an entry. Zero begins the padding.
    enum Number: UInt8 {
        case record = 1
        case counter
    }

    /// All of a state: records by id, then counters by nonce and device.
    static func entries(of state: SyncState) -> [FileEntry] {
        state.records.sorted { $0.key < $1.key }.map { .record($0.key, $0.value) }
            + state.counters.sorted { $0.key < $1.key }.flatMap { nonce, counters in
                counters.sorted { $0.key < $1.key }.map { .counter(nonce, $0.key, $0.value) }
            }
    }

    /// The devices that it names.
    var devices: [DeviceID] {
        switch self {
        case .record(_, let record):
            record.elements.map(\.stamp.origin.device)
                + (Array(record.dead.values) + record.gone.values).flatMap { $0.map(\.device) }
        case .counter(_, let device, _): [device]
        }
    }

    func write(to writer: inout BinaryWriter, _ table: DeviceTable) {
        switch self {
        case .record(let id, let record):
            writer.put(Number.record.rawValue)
            writer.put(id)
            Self.write(record.elements, to: &writer, table)
            Self.write(record.dead, to: &writer, table)
            Self.write(record.gone, to: &writer, table)
        case .counter(let nonce, let device, let counter):
            writer.put(Number.counter.rawValue)
            writer.put(nonce)
            table.put(FileOrigin(device: device, sequence: counter.sequence), to: &writer)
            writer.put(compact: counter.value)
        }
    }

    /// Those of one time and file together.
    private static func write(_ elements: [Element], to writer: inout BinaryWriter, _ table: DeviceTable) {
        let moments = elements.chunked { $0.time == $1.time && $0.origin == $1.origin }
        writer.put(compact: UInt64(moments.count))
        for moment in moments {
            guard let stamp = moment.first?.stamp else { continue }
            writer.put(stamp.time)
            table.put(stamp.origin, to: &writer)
            writer.put(compact: UInt64(moment.count))
            for element in moment {
                writer.put(element.stamp.random)
                element.value.write(to: &writer)
            }
        }
    }

    private static func write(
        _ marks: [Mark: Set<FileOrigin>], to writer: inout BinaryWriter, _ table: DeviceTable
    ) {
        writer.put(compact: UInt64(marks.count))
        for (mark, origins) in marks.sorted(by: { $0.key < $1.key }) {
            writer.put(mark.rawValue)
            writer.put(compact: UInt64(origins.count))
            for origin in origins.sorted() { table.put(origin, to: &writer) }
        }
    }
}

extension [Element] {
    /// Runs of elements whose stamps belong together.
    fileprivate func chunked(_ together: (Stamp, Stamp) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = [], start = startIndex
        for index in indices.dropFirst() where !together(self[index - 1].stamp, self[index].stamp) {
            runs.append(self[start..<index])
            start = index
        }
        return isEmpty ? [] : runs + [self[start...]]
    }
}
