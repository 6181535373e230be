// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround
import Testing
import VaultFormat

@testable import SyncFiles

/// Content that a member, or a fault of its program, sealed: only what this program would have written is merged.
@Suite("Hostile content of a file")
struct HostileContentTests {
    private let device = DeviceID(rawValue: 2)
    private let id = ObjectID(kind: .credential, high: 1, low: 5)

    /// The reason for which a file of the device with this plain text is refused.
    private func reason(
        isSnapshot: Bool = false, _ range: ClosedRange<UInt64> = 3...4,
        _ write: (inout BinaryWriter) -> Void
    ) throws -> SyncFileError? {
        var group = try TestGroup()
        let desktop = group.desktop
        let header = SyncFileHeader(
            group: group.group, device: desktop.device, isSnapshot: isSnapshot, range: range, epoch: group.epochKey.id)
        var bytes = BinaryWriter.bytes { writer in
            header.write(to: &writer)
            for count in [0, 0, 1] as [UInt32] { writer.put(count) }
        }
        let plain = BinaryWriter.encode(padded: SizeClass.record, write)
        let associated = SyncFileContent.associated(0, SyncHash.digest(bytes))
        let sealed = try plain.withUnsafeBytes {
            try Sealing.seal(
                $0, key: group.epochKey.fileKey(of: desktop.device, in: group.group), associated: associated,
                using: &group.entropy)
        }
        bytes += BinaryWriter.bytes { $0.put(sealed) }
        bytes += try desktop.sign(bytes, as: .file)
        return failure { () throws(SyncFileError) in try group.content(bytes).operations }
    }

    private func desktop() throws -> DeviceID { try TestGroup().desktop.device }

    /// A table of this device alone, no name, no vector.
    private func start(_ writer: inout BinaryWriter, _ device: DeviceID) {
        DeviceTable([device]).write(to: &writer)
        writer.put(compact: 0)
        writer.put(compact: 0)
    }

    private func element(_ time: Int64, _ random: UInt64, sequence: UInt64 = 3) throws -> Element {
        let origin = FileOrigin(device: try desktop(), sequence: sequence)
        let stamp = Stamp(time: Timestamp(milliseconds: time), origin: origin, random: random)
        return Element(stamp: stamp, value: .user("ann"))
    }

    @Test("Content in its only form is read")
    func intact() throws {
        let device = try desktop()
        #expect(try reason { start(&$0, device) } == nil)
        #expect(
            try reason { writer in
                start(&writer, device)
                writer.put(whole: [1])
                writer.put(id)
                for byte in [0, 0, 1] { writer.put(compact: UInt64(byte)) }
                writer.put(7 as UInt64)
                for byte in [1, 0, 3] { writer.put(compact: UInt64(byte)) }
            } == nil)
    }

    @Test("A number, a text or a table in another form is refused")
    func otherForms() throws {
        let device = try desktop(), other = self.device
        let tables: [(inout BinaryWriter) -> Void] = [
            { $0.put(whole: [0x80, 0x00]) },
            { $0.put(whole: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02]) },
            { $0.put(whole: [0xFF, 0xFF, 0xFF, 0x7F]) },
            { $0.put(whole: [2] + device.rawValue.bytes + device.rawValue.bytes) },
            { $0.put(whole: [2] + [UInt8](repeating: 255, count: 16) + other.rawValue.bytes) },
            { $0.put(whole: [0, 1, 0xFF]) },
            { $0.put(whole: [0, 0xFF, 0x7F]) },
            { writer in
                DeviceTable([device]).write(to: &writer)
                writer.put(compact: 256)
                writer.append(contentsOf: String(repeating: "x", count: 256))
                writer.put(compact: 0)
            },
        ]
        for (number, table) in tables.enumerated() {
            #expect(try reason(3...4, table) == .contentMalformed, "\(number)")
        }
    }

    @Test("A vector that names the writer, a device twice, or a sequence beyond the limit is refused")
    func vectors() throws {
        let device = try desktop(), other = self.device
        for entries in [[(device, 3)], [(other, 0)], [(other, 100_000_000)], [(other, 1), (other, 2)]]
            as [[(DeviceID, UInt64)]]
        {
            let found = try reason { writer in
                let table = DeviceTable([device, other])
                table.write(to: &writer)
                writer.put(compact: 0)
                writer.put(compact: UInt64(entries.count))
                for (device, sequence) in entries {
                    table.put(FileOrigin(device: device, sequence: sequence), to: &writer)
                }
            }
            #expect(found == .contentMalformed)
        }
    }

    /// The reason for which these entries are refused.
    private func reason(
        isSnapshot: Bool = false, devices: [DeviceID] = [], _ entries: [FileEntry]
    ) throws -> SyncFileError? {
        let table = DeviceTable(devices + [try desktop(), .beforeSync])
        return try reason(isSnapshot: isSnapshot) { writer in
            table.write(to: &writer)
            writer.put(compact: 0)
            writer.put(compact: 0)
            for entry in entries { entry.write(to: &writer, table) }
        }
    }

    private func record(_ operations: SyncOperation...) throws -> FileEntry {
        var state = SyncState()
        state.merge(operations)
        return .record(id, try required(state.records[id]))
    }

    private func counter(_ nonce: OneTimeCode.Nonce, _ origin: FileOrigin) throws -> FileEntry {
        var state = SyncState()
        state.merge([.counter(nonce, 1, by: origin)])
        return .counter(nonce, origin.device, try required(state.counters[nonce]?[origin.device]))
    }

    @Test("Entries that are empty, repeated or out of order are refused")
    func order() throws {
        let entry = try record(.add(id, try element(1, 1)))
        let counter = try self.counter(5, FileOrigin(device: try desktop(), sequence: 3))
        #expect(try reason([entry, counter]) == nil)
        #expect(try reason([entry, entry]) == .contentMalformed)
        #expect(try reason([counter, entry]) == .contentMalformed)
        #expect(try reason([counter, counter]) == .contentMalformed)
        #expect(try reason([.record(id, SyncRecord())]) == .contentMalformed)
        #expect(try reason([try self.counter(5, .beforeSync)]) == .contentMalformed)
        #expect(try reason([try record(.gone(id, Mark(rawValue: 1), by: .beforeSync))]) == .contentMalformed)
    }

    @Test("A record under the id of another kind of object, or under one that ends as those of counters do, is refused")
    func otherIDs() throws {
        guard case .record(_, let content) = try record(.add(id, try element(1, 1))) else { throw Missing() }
        #expect(try reason([.record(id, content)]) == nil)
        for kind in ObjectID.Kind.allCases where kind != .credential {
            let other = ObjectID(kind: kind, high: 1, low: 5)
            #expect(try reason([.record(other, content)]) == .contentMalformed, "\(kind)")
        }
        let counter = ObjectID(kind: .credential, high: 1, low: 0x636f_756e_7465_7200)
        #expect(try reason([.record(counter, content)]) == .contentMalformed)
    }

    @Test("A file of changes contains only what its writer published in its range, or what was before sync")
    func origins() throws {
        let other = FileOrigin(device: device, sequence: 3), own = try desktop()
        let late = FileOrigin(device: own, sequence: 5), early = FileOrigin(device: own, sequence: 2)
        func entry(_ origin: FileOrigin) throws -> [FileEntry] {
            [
                try record(
                    .add(
                        id,
                        Element(
                            stamp: Stamp(time: Timestamp(milliseconds: 1), origin: origin, random: 1), value: .code(nil)
                        )))
            ]
        }
        #expect(try reason(entry(.beforeSync)) == nil)
        #expect(try reason(devices: [device], entry(other)) == .originInvalid(other))
        #expect(
            try reason(devices: [device], [try record(.gone(id, Mark(rawValue: 1), by: other))])
                == .originInvalid(other))
        #expect(
            try reason(devices: [device], [try counter(1, other)]) == .originInvalid(other))
        #expect(try reason(entry(early)) == .originInvalid(early))
        #expect(try reason(entry(late)) == .originInvalid(late))
        // In a snapshot others' are permitted, and the writer's own up to its sequence.
        #expect(try reason(isSnapshot: true, devices: [device], entry(other)) == nil)
        #expect(try reason(isSnapshot: true, entry(early)) == nil)
        #expect(try reason(isSnapshot: true, entry(late)) == .originInvalid(late))
    }

    @Test("Elements out of order, of one moment apart, with invalid text, or of kind 0 are refused")
    func elements() throws {
        let device = try desktop()
        /// Moments: each a time and random numbers with values of kind, length and content.
        func moments(_ moments: [(time: Int64, elements: [[UInt8]])]) throws -> SyncFileError? {
            try reason { writer in
                start(&writer, device)
                writer.put(whole: [1])
                writer.put(id)
                writer.put(compact: UInt64(moments.count))
                for moment in moments {
                    writer.put(moment.time)
                    writer.put(whole: [0, 3])
                    writer.put(compact: UInt64(moment.elements.count))
                    for element in moment.elements { writer.put(whole: [0, 0, 0, 0, 0, 0, 0] + element) }
                }
                writer.put(whole: [0, 0])
            }
        }
        let ann: [UInt8] = [5, 1, 0x61]
        #expect(try moments([(1, [[1] + ann, [2] + ann]), (2, [[1] + ann])]) == nil)
        #expect(try moments([(1, [[2] + ann, [1] + ann])]) == .contentMalformed)
        #expect(try moments([(1, [[1] + ann, [1] + ann])]) == .contentMalformed)
        #expect(try moments([(2, [[1] + ann]), (1, [[1] + ann])]) == .contentMalformed)
        #expect(try moments([(1, [[1] + ann]), (1, [[2] + ann])]) == .contentMalformed)
        #expect(try moments([(1, [])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 5, 1, 0xC3]])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 0, 1, 0x61]])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 3, 1, 0x61]])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 2, 1, 0x61]])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 1, 1, 0x61]])]) == .contentMalformed)
        #expect(try moments([(1, [[1, 4, 0xFF, 0x7F, 0x61]])]) == .contentMalformed)
    }

    @Test("What follows the padding, and an entry of an unknown number, is refused")
    func padding() throws {
        let device = try desktop()
        #expect(
            try reason { writer in
                start(&writer, device)
                writer.put(whole: [0, 0, 1])
            } == .contentMalformed)
        #expect(
            try reason { writer in
                start(&writer, device)
                writer.put(whole: [3])
            } == .contentMalformed)
    }
}
