// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncMerge
internal import VaultFormat

/// Reads entries as operations. It accepts only the order and the form in which they are written.
struct EntryReader {
    let table: DeviceTable
    /// How many entries the file may have.
    let limit: Int
    private(set) var count = 0
    private var lastRecord: ObjectID?
    private var lastCounter: (nonce: OneTimeCode.Nonce, device: DeviceID)?

    init(table: DeviceTable, upTo limit: Int = SyncFileLimits.entries) { (self.table, self.limit) = (table, limit) }

    /// The entries up to the padding; nil where something does not fit.
    mutating func operations(from reader: inout BinaryReader) -> [SyncOperation]? {
        var operations: [SyncOperation] = []
        while let number = reader.next, number != 0, reader.isIntact {
            _ = reader.integer(UInt8.self)
            count += 1
            switch FileEntry.Number(rawValue: number) {
            case .record: record(from: &reader, to: &operations)
            case .counter: counter(from: &reader, to: &operations)
            case nil: return nil
            }
        }
        return reader.isAtEnd ? operations : nil
    }

    private mutating func record(from reader: inout BinaryReader, to operations: inout [SyncOperation]) {
        // What is stored of a record is found by the 16 bytes of its id alone.
        guard let id = reader.id(), id.kind == .credential, id.low != StoredOperations.counterEnding,
            lastRecord.map({ $0 < id }) ?? true, lastCounter == nil
        else { return reader.fail(()) }
        lastRecord = id
        let before = operations.count
        elements(of: id, from: &reader, to: &operations)
        for (mark, origin) in marks(from: &reader) { operations.append(.dead(id, mark, by: origin)) }
        for (mark, origin) in marks(from: &reader) { operations.append(.gone(id, mark, by: origin)) }
        if operations.count == before { reader.fail(()) }
    }

    private func elements(of id: ObjectID, from reader: inout BinaryReader, to operations: inout [SyncOperation]) {
        var last: Element?
        for _ in 0..<reader.count(ofAtLeast: 21) where reader.isIntact {
            let time = reader.time()
            let origin = table.origin(from: &reader)
            if let last, last.stamp.time == time, last.stamp.origin == origin { reader.fail(()) }
            let count = reader.count(ofAtLeast: 10)
            if count == 0 { reader.fail(()) }
            for _ in 0..<count where reader.isIntact {
                let stamp = Stamp(time: time, origin: origin, random: reader.integer())
                guard let value = ElementValue(from: &reader) else { return reader.fail(()) }
                let element = Element(stamp: stamp, value: value)
                if let last, !(last < element) { return reader.fail(()) }
                last = element
                operations.append(.add(id, element))
            }
        }
    }

    private func marks(from reader: inout BinaryReader) -> [(Mark, FileOrigin)] {
        var read: [(Mark, FileOrigin)] = []
        var lastMark: Mark?
        for _ in 0..<reader.count(ofAtLeast: 11) where reader.isIntact {
            let mark = Mark(rawValue: reader.integer())
            if let lastMark, mark <= lastMark { reader.fail(()) }
            lastMark = mark
            let count = reader.count(ofAtLeast: 2)
            if count == 0 { reader.fail(()) }
            var lastOrigin: FileOrigin?
            for _ in 0..<count where reader.isIntact {
                let origin = table.origin(from: &reader)
                // What was before sync cancels nothing.
                if origin == .beforeSync || lastOrigin.map({ origin <= $0 }) ?? false { reader.fail(()) }
                lastOrigin = origin
                read.append((mark, origin))
            }
        }
        return read
    }

    private mutating func counter(from reader: inout BinaryReader, to operations: inout [SyncOperation]) {
        let nonce: OneTimeCode.Nonce = reader.integer()
        let origin = table.origin(from: &reader)
        let value = reader.compact()
        let next = (nonce: nonce, device: origin.device)
        guard origin != .beforeSync, lastCounter.map({ $0 < next }) ?? true else { return reader.fail(()) }
        lastCounter = next
        operations.append(.counter(nonce, value, by: origin))
    }
}
