// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials
import Glibc
import SyncCarrier
import TestGround
import Testing

@Suite("Limits of what is carried", .blocking, .timeLimit(.minutes(2)))
struct CarrierLimitTests {
    private let ground: CarrierGround
    private let a: Machine
    private let now = CarrierGround.now

    init() throws {
        ground = try CarrierGround()
        a = try ground.machine(1)
    }

    /// A file of this size without data on the disk.
    private func makeSparse(_ name: String, bytes: Int, of machine: Machine) throws {
        try ground.write([], name, of: machine)
        try #require(truncate(ground.path(machine, name), bytes) == 0)
    }

    @Test("64 devices are carried; with more, nothing is brought or removed, and own files still are written")
    func devices() throws {
        let own = try a.put("own")
        let others = try (2...65).map { try ground.machine($0) }
        for other in others.dropLast() { try ground.write("x".bytes, Machine.name("x".bytes), of: other) }
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now).problem == nil, "64 with this machine")
        #expect(a.receivedNames(of: others[0]).count == 1)
        try ground.write("x".bytes, Machine.name("x".bytes), of: others[63])
        try FileManager.default.removeItem(atPath: ground.path(others[0], Machine.name("x".bytes)))
        try ground.write("y".bytes, Machine.name("y".bytes, 2), of: others[0])
        let later = try a.put("later", 2)
        let outcome = carrier.round(at: now)
        #expect(outcome == RoundOutcome(problem: outcome.problem, waiting: 0, hasChanged: false))
        #expect(outcome.problem?.code == .tooManyFiles)
        #expect(a.receivedNames(of: others[0]) == [Machine.name("x".bytes)])
        #expect(ground.names(of: a) == [own, later].sorted())
        try FileManager.default.removeItem(atPath: "\(ground.folder)/\(others[63].directory)")
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(a.receivedNames(of: others[0]) == [Machine.name("y".bytes, 2)])
    }

    @Test("More than 4,096 files of a device pause that device, and no other")
    func files() throws {
        let (many, few) = (try ground.machine(2), try ground.machine(3))
        let complete = Machine.name("x".bytes, 9999)
        try ground.write("x".bytes, complete, of: many)
        for number in 1...4096 { try ground.write([], Machine.name([], number), of: many) }
        try ground.write("x".bytes, Machine.name("x".bytes), of: few)
        var carrier = ground.carrier(a)
        let outcome = carrier.round(at: now)
        #expect(outcome.problem?.code == .tooManyFiles && outcome.hasChanged)
        #expect(a.receivedNames(of: many) == [] && a.receivedNames(of: few).count == 1)
        try FileManager.default.removeItem(atPath: ground.path(many, Machine.name([], 4096)))
        #expect(carrier.round(at: now).problem == nil)
        #expect(a.receivedNames(of: many) == [complete])
    }

    @Test("A file above the limit of its kind is not read; the others are brought")
    func largeFile() throws {
        let other = try ground.machine(2)
        let good = Machine.name("x".bytes)
        try ground.write("x".bytes, good, of: other)
        try makeSparse(Machine.name([], 2), bytes: (256 << 20) + 1, of: other)
        var carrier = ground.carrier(a)
        #expect(carrier.round(at: now).problem?.code == .tooLarge)
        #expect(a.receivedNames(of: other) == [good])
        try FileManager.default.removeItem(atPath: ground.path(other, Machine.name([], 2)))
        let invitation = String(repeating: "7", count: 32) + ".invitation"
        try makeSparse(invitation, bytes: 65_537, of: other)
        #expect(carrier.round(at: now).problem?.code == .tooLarge)
        try makeSparse(invitation, bytes: 65_536, of: other)
        #expect(carrier.round(at: now) == RoundOutcome(hasChanged: true))
        #expect(a.receivedNames(of: other) == [good, invitation].sorted())
    }

    @Test("More than 4 GiB in all pause everything that would be brought")
    func totalSize() throws {
        let other = try ground.machine(2)
        try ground.write("x".bytes, Machine.name("x".bytes), of: other)
        for number in 2...17 { try makeSparse(Machine.name([], number), bytes: 256 << 20, of: other) }
        var carrier = ground.carrier(a)
        let outcome = carrier.round(at: now)
        #expect(outcome.problem?.code == .tooLarge && !outcome.hasChanged)
        #expect(a.receivedNames(of: other) == [])
    }
}
