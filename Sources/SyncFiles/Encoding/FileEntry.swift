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

    /// Calls `body` with each device that it names, some more than once.
    func forEachDevice(_ body: (DeviceID) -> Void) {
        switch self {
        case .record(_, let record):
            for element in record.elements { body(element.stamp.origin.device) }
            for marks in [record.dead, record.gone] {
                for origins in marks.values { for origin in origins { body(origin.device) } }
            }
        case .counter(_, let device, _): body(device)
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
        var moments: UInt64 = 0, position = 0
        forEachMoment(of: elements) { _ in moments += 1 }
        writer.put(compact: moments)
        forEachMoment(of: elements) { count in
            let stamp = elements[position].stamp
            writer.put(stamp.time)
            table.put(stamp.origin, to: &writer)
            writer.put(compact: UInt64(count))
            for element in elements[position..<position + count] {
                writer.put(element.stamp.random)
                element.value.write(to: &writer)
            }
            position += count
        }
    }

    /// Calls `body` with the length of each run of elements of one time and file.
    private static func forEachMoment(of elements: [Element], _ body: (Int) -> Void) {
        var start = 0
        for index in elements.indices {
            let (stamp, next) = (elements[start].stamp, index + 1 < elements.count ? elements[index + 1].stamp : nil)
            if let next, next.time == stamp.time, next.origin == stamp.origin { continue }
            body(index + 1 - start)
            start = index + 1
        }
    }

    private static func write(
        _ marks: [Mark: Set<FileOrigin>], to writer: inout BinaryWriter, _ table: DeviceTable
    ) {
        writer.put(compact: UInt64(marks.count))
        for (mark, origins) in marks.count > 1 ? marks.sorted(by: { $0.key < $1.key }) : Array(marks) {
            writer.put(mark.rawValue)
            writer.put(compact: UInt64(origins.count))
            for origin in origins.count > 1 ? origins.sorted() : Array(origins) { table.put(origin, to: &writer) }
        }
    }
}
