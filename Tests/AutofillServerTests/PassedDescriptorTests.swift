// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Glibc
import Testing

@testable import AutofillServer
@testable import Support

@Suite("Descriptors that are passed with lines")
struct PassedDescriptorTests {
    private let served: ServedEngine

    init() throws { served = try ServedEngine() }

    /// A socket that shows whether anybody still has its other end.
    private struct Probe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// Whether another process has it, after the test has closed its own.
        var isHeld: Bool {
            var byte: UInt8 = 0
            return read(reading, &byte, 1) < 0
        }
    }

    @Test("One that is passed with the first line is given to the engine; further ones, and later ones, are closed")
    func descriptors() throws {
        let client = try served.connect(greets: false)
        let probes = try (0..<3).map { _ in try Probe() }
        client.send([Line.hello()].lines, with: [probes[0].writing, probes[1].writing])
        try served.runLoop()
        for probe in probes[..<2] { close(probe.writing) }
        #expect(probes[0].isHeld, "hello is under way")
        #expect(try served.run(until: { !probes[1].isHeld }))
        try served.run()
        client.send([Line.quick(2)].lines, with: [probes[2].writing])
        close(probes[2].writing)
        try served.run()
        #expect(try client.answers() == ["1", "2"])
        #expect(try served.run(until: { !probes[2].isHeld }))
        client.close()
        #expect(try served.run(until: { !probes[0].isHeld }))
        for probe in probes { close(probe.reading) }
    }

    /// A TCP socket whose peer reads nothing: closing it waits, as long as it lingers, until that has received all.
    private func lingering(seconds: Int32) throws -> (passed: Int32, peer: Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        let passed = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try #require(bind(listener, pointer, length) == 0 && listen(listener, 1) == 0)
                try #require(getsockname(listener, pointer, &length) == 0)
                try #require(Glibc.connect(passed, pointer, length) == 0)
            }
        }
        let peer = accept(listener, nil, nil)
        let block = [UInt8](repeating: 0, count: 65_536)
        while Glibc.send(passed, block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
        var lingers = linger(l_onoff: 1, l_linger: seconds)
        let size = socklen_t(MemoryLayout<linger>.size)
        try #require(setsockopt(passed, SOL_SOCKET, SO_LINGER, &lingers, size) == 0)
        return (passed, peer)
    }

    @Test("A socket that lingers delays nobody, with the first line or a later one, alone or beside others")
    func lingering() throws {
        let seconds: Int32 = 120
        let began = ContinuousClock.now
        for greets in [false, true] {
            let client = try served.connect(greets: greets)
            let (one, two) = (try lingering(seconds: seconds), try lingering(seconds: seconds))
            client.send([greets ? Line.quick(2) : Line.hello()].lines, with: [one.passed, two.passed])
            for passed in [one.passed, two.passed] { close(passed) }
            try served.run()
            client.close()
            try served.run()
            for peer in [one.peer, two.peer] { close(peer) }
        }
        #expect(ContinuousClock.now - began < .seconds(Int(seconds)))
    }

    @Test("A byte out of band passes its descriptors as any other does, also where nobody receives it")
    func outOfBand() throws {
        let work = served.service.parts.work
        for isReceived in [true, false] {
            let client = try served.connect()
            let probe = try Probe()
            work.holdsNew = true
            client.send(" ", with: [probe.writing], flags: Int32(MSG_OOB))
            close(probe.writing)
            if isReceived { try served.runLoop() } else { served.abortAll() }
            #expect(probe.isHeld, "it is closed beside the loop")
            work.holdsNew = false
            work.releaseAll()
            try served.run()
            #expect(!probe.isHeld)
            close(probe.reading)
            client.close()
            try served.run()
        }
    }

    @Test("What a client has sent last, and nobody has received, is closed beside the loop")
    func unread() throws {
        let work = served.service.parts.work
        work.holdsNew = true
        let client = try served.connect()
        let probe = try Probe()
        client.send([Line.quick(2)].lines, with: [probe.writing])
        close(probe.writing)
        served.abortAll()
        try served.runLoop()
        #expect(probe.isHeld)
        work.holdsNew = false
        work.releaseAll()
        try served.run()
        #expect(!probe.isHeld)
        close(probe.reading)
    }

    /// Turns of the loop until it waits for something.
    private func runToSleep() throws {
        var turns = 0
        while turns < 1000, try served.loop.turn(timeout: .zero) { turns += 1 }
        try #require(turns < 1000, "the loop does not sleep")
    }

    @Test("Those of one message are closed by one piece of work, and a client that passes more is not read until then")
    func together() throws {
        let work = served.service.parts.work
        let (client, gone, other) = (try served.connect(), try served.connect(), try served.connect(greets: false))
        let probes = [try Probe(), try Probe()]
        work.holdsNew = true
        let before = work.count
        for _ in 0..<2 { client.send(" ", with: Array(repeating: probes[0].writing, count: 253)) }
        try runToSleep()
        #expect(work.count == before + 1 && probes[0].isHeld)
        other.send([Line.hello()].lines, with: [probes[1].writing])
        gone.send(" ", with: [probes[0].writing])
        gone.close()
        for probe in probes { close(probe.writing) }
        try runToSleep()
        #expect(client.hasUnreadInput && other.hasUnreadInput && work.count == before + 1)
        #expect(try other.answers().isEmpty && served.table.count == 3)
        work.holdsNew = false
        work.releaseAll()
        #expect(try served.run(until: { !probes[0].isHeld && served.table.count == 2 }))
        #expect(try other.answers() == ["1"] && !client.hasUnreadInput)
        for client in [client, other] { client.close() }
        #expect(try served.run(until: { !probes[1].isHeld }))
        for probe in probes { close(probe.reading) }
    }

    @Test("A hello whose descriptor waits until others are closed is answered then, though its time was over meanwhile")
    func greetingTime() throws {
        let work = served.service.parts.work
        let (client, other) = (try served.connect(), try served.connect(greets: false))
        let probe = try Probe()
        try served.run(after: .milliseconds(Limits.helloMilliseconds - 1000))
        work.holdsNew = true
        for _ in 0..<2 { client.send(" ", with: Array(repeating: probe.writing, count: 253)) }
        try runToSleep()
        other.send([Line.hello()].lines, with: [probe.writing])
        close(probe.writing)
        try runToSleep()
        served.service.clock.advance(by: .milliseconds(1200))
        try runToSleep()
        #expect(other.hasUnreadInput)
        #expect(try other.answers().isEmpty && !other.isEnded)
        work.holdsNew = false
        work.releaseAll()
        try served.run()
        #expect(try other.answers() == ["1"])
        for client in [client, other] { client.close() }
        #expect(try served.run(until: { !probe.isHeld }))
        close(probe.reading)
    }

    @Test("Where closing hangs for good, a client whose descriptor waits while too many others do is disconnected")
    func givenUp() throws {
        let work = served.service.parts.work
        let client = try served.connect()
        let probe = try Probe()
        let patience = Duration.milliseconds(Limits.fileLookMilliseconds + 1)
        work.holdsNew = true
        for _ in 0..<3 {
            client.send(" ", with: [probe.writing])
            try runToSleep()
            try served.run(after: patience)
        }
        for count in [Limits.passedDescriptors - 1, 253] {
            client.send(" ", with: Array(repeating: probe.writing, count: count))
            try runToSleep()
        }
        #expect(!client.hasUnreadInput)
        let other = try served.connect(greets: false)
        other.send([Line.hello()].lines, with: [probe.writing])
        close(probe.writing)
        try runToSleep()
        #expect(other.hasUnreadInput)
        #expect(try other.answers().isEmpty && !other.isEnded)
        try served.run(after: patience)
        #expect(try other.answers().isEmpty && other.isEnded, "a fourth thread hangs")
        work.holdsNew = false
        work.releaseAll()
        try served.run()
        try served.run(after: patience)
        client.close()
        #expect(try served.run(until: { !probe.isHeld }))
        close(probe.reading)
    }

    @Test("Those that hang keep others from being closed only until they return")
    func hanging() throws {
        let probes = try (0..<6).map { _ in try Probe() }
        let work = served.service.parts.work
        work.holdsNew = true
        let clients = try probes.map { probe in
            let client = try served.connect(greets: false)
            client.send([Line.hello()].lines, with: [probe.writing])
            try served.runLoop()
            close(probe.writing)
            return client
        }
        for client in clients { client.close() }
        for _ in probes { try served.run(after: .milliseconds(Limits.fileLookMilliseconds + 1)) }
        let held = { probes.count { $0.isHeld } }
        #expect(held() == 6)
        work.holdsNew = false
        work.releaseAll()
        try served.run()
        #expect(held() == 2, "four threads hung")
        _ = try served.connect()
        #expect(try served.run(until: { held() == 0 }))
        for probe in probes { close(probe.reading) }
    }
}
