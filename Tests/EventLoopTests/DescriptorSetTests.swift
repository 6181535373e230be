// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestGround
import Testing

@Suite(.blocking) struct DescriptorSetTests {
    private let loop: EventLoop
    private let log = Log()
    init() throws { loop = try EventLoop() }

    @Test("Each ready member is reported with its token; a removed member is not, and its token is invalid")
    func members() throws {
        let pairs = try (0..<3).map { _ in try socketPair() }
        defer { for pair in pairs { closeAll(pair.0, pair.1) } }
        var seen: [DescriptorToken: IOEvents] = [:]
        let set = DescriptorSet(on: loop) { seen[$0] = $1 }
        let tokens = try pairs.map { try set.add($0.0, events: .readable) }
        #expect(Set(tokens.map(\.index)) == [0, 1, 2] && set.count == 3)
        write(pairs[0].1, "x")
        shutdown(pairs[1].1, Int32(SHUT_RDWR))
        try loop.turn()
        #expect(seen == [tokens[0]: .readable, tokens[1]: [.readable, .hungUp]])
        set.remove(tokens[1])
        set.modify(tokens[0], events: [])
        set.modify(tokens[2], events: .writable)
        seen = [:]
        try loop.turn()
        #expect(seen == [tokens[2]: .writable])
        #expect(set.count == 2 && !set.isMember(tokens[1]))
        #expect(throws: LoopError(operation: "epoll_ctl", errno: EEXIST)) {
            try set.add(pairs[0].0, events: .readable)
        }
        #expect(set.count == 2)
    }

    @Test("A hang-up is reported in each turn, and with `once` one time until the events are others")
    func hangUp() throws {
        let (near, far) = try socketPair()
        defer { close(near) }
        var seen: [IOEvents] = []
        let set = DescriptorSet(on: loop) { _, events in seen.append(events) }
        let token = try set.add(near, events: .readable)
        close(far)
        for _ in 0..<2 { try loop.turn() }
        #expect(seen == [[.readable, .hungUp], [.readable, .hungUp]])
        seen = []
        set.modify(token, events: .once)
        try loop.runUntilIdle()
        #expect(seen == [.hungUp])
        set.modify(token, events: [])
        try loop.turn()
        #expect(seen == [.hungUp, .hungUp])
    }

    @Test("Members removed, replaced and modified in the middle of a batch are not notified of what was ready before")
    func middleOfBatch() throws {
        let pairs = try (0..<4).map { _ in try socketPair() }
        defer { for pair in pairs { closeAll(pair.0, pair.1) } }
        let (late, lateFar) = try socketPair()
        defer { closeAll(late, lateFar) }
        var seen: [DescriptorToken] = []
        var tokens: [DescriptorToken] = []
        var members: DescriptorSet?
        members = DescriptorSet(on: loop) { token, _ in
            seen.append(token)
            guard seen.count == 1 else { return }
            for other in tokens where other != token { members?.remove(other) }
            members?.modify(token, events: [])
            // Replaces one that would be reported next.
            if let new = try? members?.add(late, events: .readable) { tokens.append(new) }
        }
        for pair in pairs {
            tokens += try [members?.add(pair.0, events: .readable)].compactMap { $0 }
            write(pair.1, "x")
        }
        try loop.runUntilIdle()
        #expect(seen.count == 1)
        write(lateFar, "x")
        try loop.turn()
        #expect(seen.count == 2 && seen.last == tokens.last)
        #expect(Set(tokens).count == 5, "no token is given twice")
        members = nil
    }

    @Test(
        "More ready members than a batch holds are all reported, other sources in between, and the turn ends after them all"
    )
    func fairness() throws {
        // Whose time does not pass: else a slow machine ends the turn before.
        let loop = try EventLoop(clocks: ManualClock().clocks)
        let pairs = try (0..<150).map { _ in try socketPair() }
        defer { for pair in pairs { closeAll(pair.0, pair.1) } }
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        let ending = TurnSource(on: loop, at: .endOfTurn) { [log] in log.add("end") }
        let set = DescriptorSet(on: loop) { [log] token, _ in
            log.add("member")
            _ = receive(pairs[token.index].0)
            ending.arm()
        }
        let other = try IOSource(on: loop, descriptor: near, events: .readable) { [log] _ in
            log.add("other")
            _ = receive(near)
        }
        for pair in pairs {
            _ = try set.add(pair.0, events: .readable)
            write(pair.1, "x")
        }
        write(far, "x")
        try loop.runUntilIdle()
        let lines = log.lines
        #expect(lines.count { $0 == "member" } == 150)
        #expect(lines.count { $0 == "end" } == 1 && lines.last == "end")
        #expect(try #require(lines.firstIndex(of: "other")) <= 64)
        withExtendedLifetime(other) {}
    }
}
