// SPDX-License-Identifier: Apache-2.0
import Credentials
import SecretMemory
import SyncMerge
import TestGround
import Testing

@testable import SyncFiles

@Suite("Files of a machine")
struct SyncFileTests {
    private let start = Timestamp(milliseconds: 1_795_253_400_000)

    @Test("A file of changes is read as it was written")
    func delta() throws {
        var group = try TestGroup()
        let operations = group.save(FileOrigin(device: group.desktop.device, sequence: 3))
        let file = try group.writer(group.desktop, name: "Ann's desktop").delta(
            2...3, operations, vector: VersionVector([group.laptop.device: 7, group.desktop.device: 1]),
            statements: group.members.statements, using: &group.entropy)
        let read = try group.content(file.bytes, name: SyncFileName("\(file.name)"))
        #expect(read.content.deviceName == "Ann's desktop")
        let vector = VersionVector([group.laptop.device: 7, group.desktop.device: 3])
        #expect(read.content.summary == FileSummary(delta: 2...3, of: group.desktop.device, vector: vector))
        #expect(Set(read.content.statements) == Set(group.members.statements))
        var (one, other) = (SyncState(), SyncState())
        one.merge(operations)
        other.merge(read.operations)
        #expect(one == other)
    }

    @Test("A snapshot of any state is read as that state, in many batches", arguments: [1, 2, 3] as [UInt64])
    func snapshot(seed: UInt64) throws {
        var group = try TestGroup(seed: seed)
        let state = RandomState(seed: seed, devices: [group.desktop.device, group.laptop.device]).state
        var writer = group.writer(group.desktop)
        writer.batchBytes = 10_000
        let file = try writer.snapshot(
            99, state, vector: VersionVector([group.laptop.device: 99]), statements: [], using: &group.entropy)
        let read = try group.content(file.bytes, name: file.name)
        #expect(try group.read(file.bytes).batches.count > 2)
        var merged = SyncState()
        merged.merge(read.operations.reversed())
        #expect(merged == state)
        #expect(read.content.summary.range == 1...99)
        // In its one form: the content alone determines it.
        #expect(read.operations == state.operations)
    }

    @Test("Kinds and fields of a later version are written again as they were")
    func unknownKinds() throws {
        var group = try TestGroup()
        let id = ObjectID(kind: .credential, high: 1, low: 2),
            origin = FileOrigin(device: group.desktop.device, sequence: 4)
        let values: [ElementValue] = [
            .unknown(200, SyncSecret("content")), .field("passkey/AAEC", SyncSecret("fields of a passkey")),
            .field("", SyncSecret("")), .code(nil), .code(OneTimeCode(uri: SyncSecret(""), nonce: .max)),
            .password(SyncSecret(""), site: "", user: ""), .site("bücher.example"),
        ]
        let operations = values.enumerated().map { number, value in
            let stamp = Stamp(time: Timestamp(milliseconds: .min), origin: origin, random: UInt64(number))
            return SyncOperation.add(id, Element(stamp: stamp, value: value))
        }
        let file = try group.writer(group.desktop).delta(
            4...4, operations, vector: VersionVector(), statements: [], using: &group.entropy)
        let read = try group.content(file.bytes)
        #expect(read.operations == operations)
        let again = try group.writer(group.desktop).delta(
            4...4, read.operations, vector: VersionVector(), statements: [], using: &group.entropy)
        #expect(try group.content(again.bytes).operations == operations)
    }

    @Test("Deltas that are joined have the same content as each of them")
    func joined() throws {
        var group = try TestGroup()
        var state = SyncState(), contents: [SyncFileContent] = []
        for sequence in UInt64(3)...18 {
            let operations = group.save(
                FileOrigin(device: group.desktop.device, sequence: sequence), id: sequence / 2)
            state.merge(operations)
            let statements = sequence == 5 ? group.members.statements : []
            let file = try group.writer(group.desktop).delta(
                sequence...sequence, operations, vector: VersionVector([group.laptop.device: sequence]),
                statements: statements, using: &group.entropy)
            contents.append(try group.content(file.bytes).content)
        }
        let file = try required(try group.writer(group.desktop).joined(contents.reversed(), using: &group.entropy))
        let read = try group.content(file.bytes, name: file.name)
        var merged = SyncState()
        merged.merge(read.operations)
        #expect(merged == state)
        let vector = VersionVector([group.laptop.device: 18, group.desktop.device: 18])
        #expect(read.content.summary == FileSummary(delta: 3...18, of: group.desktop.device, vector: vector))
        #expect(Set(read.content.statements) == Set(group.members.statements))
        let snapshot = try group.writer(group.desktop).snapshot(
            19, state, vector: VersionVector(), statements: [], using: &group.entropy)
        let content = try group.content(snapshot.bytes).content
        #expect(throws: SyncFileWriter.JoinFailure.notADelta) {
            try group.writer(group.desktop).joined([content], using: &group.entropy)
        }
        #expect(try group.writer(group.desktop).joined([], using: &group.entropy) == nil)
    }

    @Test("One change needs at most 1 KiB, and a credential some 250 bytes of a snapshot")
    func sizes() throws {
        var group = try TestGroup()
        let vector = VersionVector(Dictionary(uniqueKeysWithValues: (1...3).map { (DeviceID(rawValue: $0), 1000) }))
        let change = try group.writer(group.desktop).delta(
            3...3, group.save(FileOrigin(device: group.desktop.device, sequence: 3)), vector: vector, statements: [],
            using: &group.entropy)
        #expect(change.bytes.count <= 1024)
        var state = SyncState()
        for number in 1...400 as ClosedRange<UInt64> {
            state.merge(group.save(FileOrigin(device: group.desktop.device, sequence: number), id: number))
            let stamp = Stamp(
                time: start, origin: FileOrigin(device: group.desktop.device, sequence: number), random: 1)
            let id = ObjectID(kind: .credential, high: 9, low: number)
            for name in ["label", "created", "notes"] {
                state.merge([.add(id, Element(stamp: stamp, value: .field(name, SyncSecret("some text"))))])
            }
        }
        let snapshot = try group.writer(group.desktop).snapshot(
            400, state, vector: vector, statements: group.members.statements, using: &group.entropy)
        #expect(snapshot.bytes.count <= 400 * 270)
    }

    @Test("Files are padded: two passwords of different lengths make files of one length")
    func padding() throws {
        var group = try TestGroup()
        let origin = FileOrigin(device: group.desktop.device, sequence: 3)
        let lengths = try [1, 40].map { length in
            var writer = SyncWriter(
                changing: SyncState(), origin: origin, now: start, entropy: SeededGenerator(seed: 1))
            writer.create(
                ObjectID(kind: .credential, high: 9, low: 1), site: "shop.example.com", user: "ann",
                password: SyncSecret(String(repeating: "x", count: length)))
            return try group.writer(group.desktop).delta(
                3...3, writer.operations, vector: VersionVector(), statements: [], using: &group.entropy
            ).bytes.count
        }
        #expect(lengths[0] == lengths[1])
    }

    @Test("A file that no reader would accept is not written: a long name is cut off")
    func longName() throws {
        var group = try TestGroup()
        let file = try group.writer(group.desktop, name: String(repeating: "ü", count: 300)).delta(
            3...3, [], vector: VersionVector(), statements: [], using: &group.entropy)
        #expect(try group.content(file.bytes).content.deviceName == String(repeating: "ü", count: 127))
    }
}
