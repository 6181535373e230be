// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Foundation
import Support
import TestGround
import Testing

@Suite("What the administrator declares, in the status")
struct AdministratorProblemTests {
    @Test("A file that is refused is reported with its path, once it is there and until it is gone")
    func refused() throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(administrator: [directory.path])
        let user = try daemon.user()
        func problems() throws -> [String] {
            daemon.clock.advance(by: .seconds(1))
            // The first one has the files read again.
            try user.answer(to: Status())
            return try user.answer(to: Status()).daemon?.problems ?? []
        }
        #expect(try problems().isEmpty)
        let path = directory.path + "/web.json"
        try Data("{".utf8).write(to: URL(filePath: path))
        let found = try problems()
        // As a delegate and as a family: the test has one directory for both.
        #expect(found.count == 2 && found.allSatisfy { $0.contains(path) })
        try FileManager.default.removeItem(atPath: path)
        #expect(try problems().isEmpty)
    }
}
