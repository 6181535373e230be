// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
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
