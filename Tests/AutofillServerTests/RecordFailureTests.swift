// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
import Glibc
import Support
import TestGround
import Testing

@testable import AutofillServer

@Suite("The record of releases on a full disk")
struct RecordFailureTests {
    private let directory: TemporaryDirectory
    private let served: ServedEngine

    init() throws {
        directory = try TemporaryDirectory()
        served = try ServedEngine(location: .directory(directory.path + "/data"))
    }

    /// attacks.md, the vault, 10
    @Test("A release that cannot be recorded is refused, and is not sent; the same turn's other answers are")
    func notOnRecord() throws {
        let client = try served.connectWithLongItem()
        let bystander = try served.connect()
        let other = try served.connect()
        let record = try fillDisk()
        client.send([Line.read(3, "long")].lines)
        bystander.send([Line.quick(2)].lines)
        try served.run()
        #expect(try client.answers() == ["3 storage-full"] && !client.isEnded)
        #expect(try bystander.answers() == ["2"] && !bystander.isEnded)
        #expect(served.table.count == 3 && served.reported.faults == 0)
        #expect(!served.reported.journal.contains { $0.message.contains(" Filled ") })
        // And refused again: the first time is not recorded as a release.
        client.send([Line.read(4, "long")].lines)
        try served.run()
        #expect(try client.answers() == ["4 storage-full"])
        other.send([Line.quick(2)].lines)
        try served.run()
        #expect(try other.answers() == ["2"], "there is nothing to record")
        record.restore()
        other.send([Line.read(3, "long"), Line.password(4)].lines)
        try served.run()
        try served.service.allowAll()
        #expect(try other.answers() == ["3", "4"])
        #expect(served.reported.journal.contains { $0.message.contains(" Filled ") })
    }

    /// The file of the record, which another one has replaced.
    private struct Record {
        let number: Int32
        let kept: Int32

        func restore() {
            dup2(kept, number)
            close(kept)
        }
    }

    /// From now on whatever is written to the record meets a full disk, as /dev/full has it. (A limit of the file size
    /// would hold for the other tests of this process too.)
    private func fillDisk() throws -> Record {
        let path = directory.path + "/data/vault.releases"
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let number = try #require(open.first { Self.target(of: $0) == path })
        let full = Glibc.open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        let record = Record(number: number, kept: fcntl(number, F_DUPFD_CLOEXEC, 3))
        try #require(record.kept >= 0 && dup2(full, number) == number)
        return record
    }

    private static func target(of descriptor: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }
}
