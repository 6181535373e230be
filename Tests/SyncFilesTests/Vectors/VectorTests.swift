// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import SecretMemory
import SyncMerge
import TestGround
import Testing

@testable import SyncFiles

/// Fixtures/vectors.json holds the bytes: a change of them is a change of the format. With AUTOFILL_UPDATE_DOCS=1 they are made again
/// where they differ.
@Suite("Vectors of sync's format", .serialized)
struct VectorTests {
    @Test("Files and invitations have the bytes of the vectors")
    func bytes() throws {
        let stored = try? SyncVectors.read()
        let made = try? SyncVectors.make(stored)
        if ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1", stored == nil || made != stored {
            try SyncVectors.make(nil).write()
            Issue.record("Fixtures/vectors.json is written again")
            return
        }
        #expect(try required(made) == required(stored))
    }

    @Test("A reader in Python that was written from the page reads the vectors as this one does")
    func secondReader() throws {
        guard try PythonReader.isAvailable else {
            print("sync_reader.py is skipped: python3 with the package cryptography is not installed")
            return
        }
        let run = try PythonReader.read(SyncVectors.path.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == (try DescribedVectors.describe(try SyncVectors.read())) + "\n")
    }

    @Test("The reader in Python refuses what this one refuses", arguments: [60, 90, 600, -70, -1])
    func hostile(position: Int) throws {
        guard try PythonReader.isAvailable else { return }
        let directory = try TemporaryDirectory()
        var vectors = try SyncVectors.read()
        var bytes = hex(vectors.files[0].bytes)
        bytes[position < 0 ? bytes.count + position : position] ^= 1
        let name = SyncFileName(of: bytes, sequence: 99, isSnapshot: true)
        vectors.files[0] = SyncVectors.File(directory: vectors.files[0].directory, name: "\(name)", bytes: hex(bytes))
        let path = directory.path + "/vectors.json"
        try JSONEncoder().encode(vectors).write(to: URL(fileURLWithPath: path))
        let run = try PythonReader.read(path)
        #expect(run.status != 0 && run.output == "")
        #expect(throws: (any Error).self) { try DescribedVectors.describe(vectors) }
    }
}

extension VectorTests {
    /// The vectors, where the second file has one record under this id.
    private func vectors(with id: ObjectID) throws -> SyncVectors {
        var vectors = try SyncVectors.read()
        let keys = [vectors.machine.signing, vectors.machine.sealing].map { SecretBytes(copying: hex($0), count: 32) }
        let machine = try required(KeyPairs(signing: keys[0], sealing: keys[1]))
        let ids = try vectors.files[0].directory.split(separator: "/").map { try required(UInt128($0, radix: 16)) }
        let group = GroupID(rawValue: ids[0])
        let file = try SyncFile(
            hex(vectors.files[0].bytes), name: nil, group: group, device: DeviceID(rawValue: ids[1]))
        var members = try required(file.statements.lazy.compactMap { MemberRegister(founding: $0) }.first)
        members.insert(file.statements)
        let stamp = Stamp(
            time: Timestamp(milliseconds: 1), origin: FileOrigin(device: machine.device, sequence: 4), random: 1)
        var entropy: any RandomNumberGenerator = SeededGenerator(seed: 8)
        let written = try SyncFileWriter(
            group: group, keys: machine, epochKey: try required(members.currentKey(of: machine)), deviceName: "laptop"
        ).delta(
            4...5, [.add(id, Element(stamp: stamp, value: .user("ann")))], vector: VersionVector(), statements: [],
            using: &entropy)
        vectors.files[1] = SyncVectors.File(
            directory: vectors.files[1].directory, name: "\(written.name)", bytes: hex(written.bytes))
        return vectors
    }

    @Test(
        "The reader in Python refuses a record under another id than a credential's, as this one does",
        arguments: [
            (ObjectID(kind: .credential, high: 1, low: 5), true),
            (ObjectID(kind: .item, high: 1, low: 5), false),
            (ObjectID(kind: .credential, high: 1, low: 0x636f_756e_7465_7200), false),
        ])
    func otherIDs(_ id: ObjectID, isAccepted: Bool) throws {
        guard try PythonReader.isAvailable else { return }
        let directory = try TemporaryDirectory()
        let vectors = try vectors(with: id)
        let path = directory.path + "/vectors.json"
        try JSONEncoder().encode(vectors).write(to: URL(fileURLWithPath: path))
        let run = try PythonReader.read(path)
        guard isAccepted else {
            #expect(run.status != 0 && run.output == "")
            #expect(throws: SyncFileError.contentMalformed) { try DescribedVectors.describe(vectors) }
            return
        }
        #expect(run.output == (try DescribedVectors.describe(vectors)) + "\n", "\(run.errors)")
    }
}

/// sync_reader.py as a program.
private enum PythonReader {
    static var isAvailable: Bool {
        get throws {
            guard FileManager.default.isExecutableFile(atPath: python) else { return false }
            return try run(["-c", "import cryptography"]).status == 0
        }
    }

    private static let python = "/usr/bin/python3"

    static func read(_ path: String) throws -> (output: String, errors: String, status: Int32) {
        let script = SyncVectors.path.deletingLastPathComponent().appending(path: "../sync_reader.py")
            .standardizedFileURL
        return try run(["-X", "utf8", script.path, path])
    }

    private static func run(_ arguments: [String]) throws -> (output: String, errors: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = arguments
        // Into files: neither pipe can fill up while the other is read.
        let directory = try TemporaryDirectory()
        let streams = try ["output", "errors"].map { name -> FileHandle in
            let url = URL(fileURLWithPath: directory.path + "/" + name)
            try Data().write(to: url)
            return try FileHandle(forUpdating: url)
        }
        (process.standardOutput, process.standardError) = (streams[0], streams[1])
        try process.run()
        process.waitUntilExit()
        let texts = ["output", "errors"].map { name in
            String(decoding: FileManager.default.contents(atPath: directory.path + "/" + name) ?? Data(), as: UTF8.self)
        }
        return (texts[0], texts[1], process.terminationStatus)
    }
}
