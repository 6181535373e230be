// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

@testable import AutofillServer

@Suite("Another set of descriptors on the server's loop")
struct SharedTokenTests {
    @Test("Connections are served whatever the indices of their tokens are")
    func indices() throws {
        let served = try ServedEngine()
        let first = try served.connect()
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for descriptor in pipes { close(descriptor) } }
        // Between turns, as the loop allows.
        let other = DescriptorSet(on: served.loop) { _, _ in }
        let tokens = try pipes.map { try other.add($0, events: []) }
        let second = try served.connect()
        for token in tokens { other.remove(token) }
        let third = try served.connect()
        for client in [first, second, third] {
            client.send([Line.quick(2)].lines)
            try served.run()
            #expect(try client.answers() == ["2"])
        }
        first.close()
        #expect(try served.run(until: { served.table.count == 2 }) && !second.isEnded)
    }
}
