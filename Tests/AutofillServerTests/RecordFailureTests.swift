// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
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
        let record = try FullRecord(at: directory.path + "/data/vault.releases")
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
}
