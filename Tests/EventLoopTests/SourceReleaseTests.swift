// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

@Suite struct SourceReleaseTests {
    @Test(
        "Released by its own handler, a source has ended before the descriptor is closed, whichever other process holds that"
    )
    func ownHandler() throws {
        let loop = try EventLoop()
        let (near, far) = try socketPair()
        // As a program does that is being started at that moment by another thread.
        let held = dup(near)
        defer { closeAll(far, held) }
        var source: IOSource?
        var calls = 0
        source = try IOSource(on: loop, descriptor: near, events: .readable) { _ in
            calls += 1
            source = nil
            close(near)
        }
        write(far, "more")
        try loop.runUntilIdle()
        #expect(calls == 1 && source == nil)
    }
}
