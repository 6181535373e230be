// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Foundation
import Support
import TestGround
import Testing

@Suite("Sync: what is noticed of copies of a machine, and who is notified of what others changed")
struct SyncNoticeTests {
    private let desktop: SyncedService
    private let laptop: SyncedService

    init() throws {
        desktop = try SyncedService()
        laptop = try SyncedService()
    }

    /// A connection that is notified of what happens from now on.
    private func listener(on machine: SyncedService) throws -> ServiceConnection {
        let listener = try machine.daemon.user()
        try listener.answer(to: EventSubscribe())
        return listener
    }

    private func entries(_ message: String, of machine: SyncedService) -> Int {
        machine.daemon.journal.count { $0.message.hasPrefix("[AutoFill] " + message) }
    }

    @Test("A copy of a machine is noticed by both and by others: once in the journal, in the status for thirty days")
    func copied() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        try carrier.carry(desktop, laptop)
        let copy = try SyncedService(copying: desktop)
        try desktop.save("of the desktop")
        try desktop.publish()
        try copy.save("of the copy", user: "bob")
        try copy.publish()
        let listener = try listener(on: desktop)
        try carrier.carry(desktop, copy, laptop)
        // What is of its own id is merged by no other step.
        #expect(try listener.events().contains { $0.content.kind == .credentialsChanged })
        for _ in 0..<3 { try carrier.carry(desktop, copy, laptop) }

        let renewed = "Files were found under this machine's id that it has not written"
        #expect(entries(renewed, of: desktop) == 1 && entries(renewed, of: laptop) == 0)
        // What the former id has put out is removed, with its directory.
        let depths = desktop.outgoing().map { $0.dropFirst(desktop.spool.count).split(separator: "/").count }
        #expect(depths.count { $0 == 3 } == 1)
        let doubled = entries("Two files of one sequence were found of the machine", of: laptop)
        #expect(doubled > 0)
        for machine in [desktop, copy, laptop] {
            #expect(try machine.password() == "of the desktop" && machine.password(of: "bob") == "of the copy")
            #expect(try machine.status.state == .active)
        }
        #expect(try desktop.status.problem?.hasPrefix("Files were found under the id of this machine") == true)
        #expect(try laptop.status.problem?.hasPrefix("Two files of one sequence were found of desktop") == true)

        for machine in [desktop, laptop] {
            machine.daemon.clock.advance(by: .seconds(31 * 86_400))
            try machine.user.answer(to: VaultUnlock(proof: .test))
            try carrier.report(to: machine)
            let status = try machine.status
            #expect(status.state == .active && status.problem == nil)
        }
        #expect(entries(renewed, of: desktop) == 1)
        #expect(entries("Two files of one sequence were found of the machine", of: laptop) == doubled)
    }

    @Test("What was found of copies is not stated of a group that is founded later")
    func stopped() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        try carrier.carry(desktop, laptop)
        let copy = try SyncedService(copying: desktop)
        try desktop.save("of the desktop")
        try desktop.publish()
        try copy.save("of the copy", user: "bob")
        try copy.publish()
        for _ in 0..<4 { try carrier.carry(desktop, copy, laptop) }
        #expect(try desktop.status.problem?.hasPrefix("Files were found under the id of this machine") == true)

        #expect(try desktop.user.answer(to: SyncStop(proof: .test)).changed)
        try desktop.user.answer(
            to: SyncStart(location: .folder("/home/ann/elsewhere"), name: "desktop", proof: .test))
        var elsewhere = try TestCarrier()
        for _ in 0..<2 { try elsewhere.carry(desktop) }
        let status = try desktop.status
        #expect(status.state == .active && status.problem == nil)
    }

    @Test("Subscribers are notified when a restored vault counts, and with that changes")
    func resumed() throws {
        var carrier = try TestCarrier()
        _ = try carrier.letIn(laptop, by: desktop)
        try desktop.save("one")
        let path = desktop.directory.path + "/backup"
        try desktop.user.answer(to: VaultBackup(path: path, proof: .test))
        try desktop.save("newer")
        try desktop.save("late", user: "bob")
        try desktop.publish()
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        try desktop.user.answer(to: VaultRestore(path: path, secret: .test, proof: .test))
        let listener = try listener(on: desktop)
        let resumed = try desktop.user.send(SyncResume(counts: .vault, proof: .test))
        for _ in 0..<2 { try carrier.carry(desktop, laptop) }
        #expect(try resumed.answer().changed && desktop.password() == "one" && desktop.password(of: "bob") == nil)
        #expect(try listener.events().contains { $0.content.kind == .credentialsChanged })
    }
}
