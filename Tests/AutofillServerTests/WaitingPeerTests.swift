// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@testable import AutofillServer

@Suite("Connections that wait for the inspection of their peers")
struct WaitingPeerTests {
    /// Whether a connection of a process of its own waits.
    private func append(_ number: Int32, _ unit: String?, to waiting: inout WaitingPeers) -> Bool {
        waiting.append(number, of: number, sandboxedIn: unit) == true
    }

    @Test("One sandbox uses what its unit may have, with any number of processes, and none of what others may have")
    func units() {
        var waiting = WaitingPeers()
        func waits(_ number: Int32, _ unit: String?) -> Bool { append(number, unit, to: &waiting) }
        let limit = Int32(Limits.connectionsPerSandbox)
        for number in 0..<limit { #expect(waits(number, "app-a.scope")) }
        #expect(!waits(limit, "app-a.scope"))
        #expect(waits(limit, "app-b.scope"))
        #expect(waits(limit + 1, ""))
        #expect(waits(limit + 2, nil))
        waiting.end(7)
        #expect(waits(limit + 3, "app-a.scope"))
        #expect(!waits(limit + 4, "app-a.scope"))
    }

    @Test("Connections of processes in sandboxes without a unit count together")
    func withoutUnit() {
        var waiting = WaitingPeers()
        func waits(_ number: Int32) -> Bool { append(number, "", to: &waiting) }
        let limit = Int32(Limits.connectionsPerSandbox)
        for number in 0..<limit { #expect(waits(number)) }
        #expect(!waits(limit))
    }
}
