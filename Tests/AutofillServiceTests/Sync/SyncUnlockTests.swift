// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Glibc
import Support
import Testing

@Suite("Sync: what an unlock has the carrier do")
struct SyncUnlockTests {
    private let desktop: SyncedService

    init() throws { desktop = try SyncedService() }

    /// The order's file as it is now. While it is open no other file has its number.
    private struct Order {
        let file: FileHandle
        let number: ino_t
        let content: Data

        init(of machine: SyncedService) throws {
            let opened = try FileHandle(forReadingFrom: URL(fileURLWithPath: machine.spool + "/carrier.json"))
            var status = stat()
            try #require(fstat(opened.fileDescriptor, &status) == 0)
            let read = try #require(try opened.readToEnd())
            (file, number, content) = (opened, status.st_ino, read)
        }
    }

    /// Starts sync there, and lets the first exchange pass.
    private func start(at location: SyncLocation) throws -> Order {
        try desktop.user.answer(to: SyncStart(location: location, name: "desktop", proof: .test))
        try desktop.publish()
        return try Order(of: desktop)
    }

    private func unlockAgain() throws {
        try desktop.user.answer(to: VaultLock())
        try desktop.user.answer(to: VaultUnlock(proof: .test))
        try desktop.daemon.settle()
    }

    @Test("The order for a git remote is written again at each unlock, unchanged, and not while the vault is unlocked")
    func git() throws {
        let first = try start(at: .git("ssh://server.example/~/passwords.git"))
        try desktop.save("new")
        try desktop.publish()
        let unchanged = try Order(of: desktop)
        #expect(unchanged.number == first.number)
        try unlockAgain()
        let second = try Order(of: desktop)
        #expect(second.number != first.number && second.content == first.content)
        try desktop.save("newer")
        try desktop.publish()
        let later = try Order(of: desktop)
        #expect(later.number == second.number)
    }

    @Test("The order for a folder is not: the carrier notices its changes")
    func folder() throws {
        let first = try start(at: SyncedService.folder)
        try unlockAgain()
        let second = try Order(of: desktop)
        #expect(second.number == first.number)
    }
}
